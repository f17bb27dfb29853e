// The file of a trained gatekeeper: `SBGATE`, a version, a checksum, then the parts.
//
// Little endian. Every count is held against the bytes that are there before anything is allocated, so
// a damaged or hostile file costs no more memory than its own size times a small factor.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/gate_model_parts.h"
#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::uint32_t kGateFileVersion = 4;

std::vector<std::byte> write_gate_parts(const GateParts& parts);

// Over the payload, as the header holds it.
std::uint64_t gate_checksum(std::span<const std::byte> payload);

// Corrupt when damaged, cut short, of another version, or when its parts do not fit each other.
Result<GateParts> read_gate_parts(std::span<const std::byte> bytes);

}  // namespace signalbox

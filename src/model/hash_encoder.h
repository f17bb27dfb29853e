// The shipped sentence encoder: hashed sub-word features, a small transformer, 8-bit integers.
//
// Needs no vocabulary, no network and no GPU. The same weights and text give the same bits on every
// processor. A query of 12 words costs well under 0.15 ms with AVX-512; text of any length is read in
// at most 16 windows. Once a thread is warm, encode() does not allocate.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "model/encoder.h"
#include "signalbox/result.h"

namespace signalbox {

// Maps the file and keeps it mapped. `kernel` names one of kernels() ("avx512vnni", "avx2", "neon",
// "portable"); empty takes the fastest. Fails with NotFound, with Corrupt when the file is damaged, and
// with InvalidInput when this processor has no such kernel.
Result<std::shared_ptr<const Encoder>> load_encoder(const std::string& path,
                                                    std::string_view kernel = {});

// `bytes` must outlive the encoder. Bytes that do not lie at a multiple of 64 are copied.
Result<std::shared_ptr<const Encoder>> load_encoder_from_memory(std::span<const std::byte> bytes,
                                                                std::string_view kernel = {});

}  // namespace signalbox

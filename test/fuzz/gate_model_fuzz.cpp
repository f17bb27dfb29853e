// Bytes as a model file: refused or usable, never a crash.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "model/gate_model.h"
#include "model/gate_model_file.h"

namespace {

// A checksum that fits lets the fuzzer past the first door.
std::vector<std::byte> with_checksum(std::span<const std::byte> payload) {
  signalbox::GateParts empty;
  std::vector<std::byte> bytes = signalbox::write_gate_parts(empty);
  constexpr std::size_t kHeader = 32;
  bytes.resize(kHeader);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  const std::uint64_t size = payload.size();
  std::memcpy(bytes.data() + 16, &size, sizeof(size));
  const std::uint64_t sum = signalbox::gate_checksum(payload);
  std::memcpy(bytes.data() + 24, &sum, sizeof(sum));
  return bytes;
}

void use(std::span<const std::byte> bytes) {
  const auto model = signalbox::GateModel::parse(bytes, nullptr);
  if (model) model->predict("turn on the lights, and then cancel my order");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  use(bytes);
  use(with_checksum(bytes));
  return 0;
}

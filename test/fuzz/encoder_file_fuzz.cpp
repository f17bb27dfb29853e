// Any bytes either give an encoder that runs, or a reason why not.
//
// The checksum is made right first: a fuzzer does not guess 64 bits, and what lies behind it must hold
// without its help. The first bytes after the file also serve as text.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "model/encoder_file.h"
#include "model/hash_encoder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view text(reinterpret_cast<const char*>(data), size < 512 ? size : 512);
  std::vector<std::byte> bytes(size);
  if (size > 0) std::memcpy(bytes.data(), data, size);
  if (size >= kEncoderHeaderBytes) {
    std::memcpy(bytes.data(), kEncoderMagic, sizeof kEncoderMagic);
    const std::uint64_t payload = size - kEncoderHeaderBytes;
    const std::uint64_t checksum =
        payload_checksum(std::span<const std::byte>(bytes).subspan(kEncoderHeaderBytes));
    std::memcpy(bytes.data() + 44, &payload, sizeof payload);
    std::memcpy(bytes.data() + 52, &checksum, sizeof checksum);
  }
  const auto encoder = load_encoder_from_memory(bytes);
  if (!encoder) return 0;
  std::vector<float> out((*encoder)->dimensions());
  (*encoder)->encode(text, out);
  for (const float value : out) {
    if (!std::isfinite(value)) std::abort();
  }
  return 0;
}

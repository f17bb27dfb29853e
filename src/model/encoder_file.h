// The encoder's weights as they lie in an encoder.sbenc file, used in place.
//
//   bytes 0–7 magic, u32 × 9 sizes, u64 payload bytes, u64 checksum, zeros to 128; then the tensors,
//   each at a multiple of 64 bytes, little endian. docs/models.md has the table.
//
// Nothing is believed before it is checked: sizes are bounded before they are multiplied, the payload
// against its checksum, every float against kLargestValue. Costs one pass over the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::size_t kEncoderHeaderBytes = 128;
inline constexpr std::size_t kEncoderAlignment = 64;
inline constexpr std::size_t kLargestEncoderFile = 16'000'000;
inline constexpr float kLargestValue = 1000.0F;  // no trained weight comes near; keeps every sum finite
inline constexpr char kEncoderMagic[8] = {'S', 'B', 'E', 'N', 'C', '\0', '\0', '\2'};

struct EncoderShape {
  std::uint32_t buckets = 0;
  std::uint32_t dim = 0;
  std::uint32_t layers = 0;
  std::uint32_t heads = 0;
  std::uint32_t ffn = 0;
  std::uint32_t out = 0;
  std::uint32_t max_words = 0;
  std::uint32_t max_features = 0;
};

// The most that kernels and their stack buffers are built for.
inline constexpr EncoderShape kLargestShape = {1U << 20, 512, 12, 16, 2048, 2048, 64, 64};
inline constexpr std::size_t kLargestHead = 128;

// y = (weights · x) * scale + bias, row by row.
struct LinearTensors {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  const std::int8_t* weights = nullptr;  // [rows][columns]
  const float* scale = nullptr;          // [rows]
  const float* bias = nullptr;           // [rows]
};

struct NormTensors {
  const float* gain = nullptr;
  const float* bias = nullptr;
};

struct LayerTensors {
  NormTensors attention_norm;
  LinearTensors qkv;
  LinearTensors attention_out;
  NormTensors ffn_norm;
  LinearTensors ffn_in;
  LinearTensors ffn_out;
};

// Points into the bytes it was read from, which must outlive it.
struct EncoderTensors {
  EncoderShape shape;
  std::uint64_t checksum = 0;
  const std::int8_t* embeddings = nullptr;  // [buckets][dim]
  const float* embedding_scale = nullptr;   // [buckets]
  const float* positions = nullptr;         // [max_words][dim]
  std::vector<LayerTensors> layers;
  NormTensors final_norm;
  const float* pool_query = nullptr;  // [dim]
  LinearTensors projection;
};

// Fails with Corrupt and the reason when the bytes are not an encoder this program can run, and with
// InvalidInput when they do not lie at a multiple of 64.
Result<EncoderTensors> read_encoder(std::span<const std::byte> bytes);

// FNV-1a over 8-byte words, the last one filled up with zeros. 3 ms for 14.7 MB.
std::uint64_t payload_checksum(std::span<const std::byte> payload);

// A whole file mapped read-only, shared with the page cache.
class MappedFile {
 public:
  // Fails with NotFound when there is no such file and Corrupt when it is empty or over the limit.
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace signalbox

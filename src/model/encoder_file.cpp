#include "model/encoder_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

namespace signalbox {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is read in place");

tl::unexpected<Error> corrupt(std::string reason) {
  return fail(ErrorCode::Corrupt, "encoder: " + std::move(reason));
}

template <typename T>
T read_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

struct Header {
  EncoderShape shape;
  std::uint32_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t checksum = 0;
};

Header read_header(std::span<const std::byte> bytes) {
  const auto size = [&](std::size_t index) { return read_at<std::uint32_t>(bytes, 8 + 4 * index); };
  Header header;
  header.header_bytes = size(0);
  header.shape = {size(1), size(2), size(3), size(4), size(5), size(6), size(7), size(8)};
  header.payload_bytes = read_at<std::uint64_t>(bytes, 44);
  header.checksum = read_at<std::uint64_t>(bytes, 52);
  return header;
}

// Empty when every size is within the bounds, else the first that is not.
std::string shape_fault(const EncoderShape& shape) {
  const auto outside = [](const char* name, std::uint32_t value, std::uint32_t least,
                          std::uint32_t most, std::uint32_t step) {
    if (value >= least && value <= most && value % step == 0) return std::string();
    return fmt::format("{} is {}, expected {} to {} in steps of {}", name, value, least, most, step);
  };
  const EncoderShape& most = kLargestShape;
  for (std::string fault :
       {outside("buckets", shape.buckets, 1, most.buckets, 1),
        outside("dim", shape.dim, 64, most.dim, 64), outside("layers", shape.layers, 0, most.layers, 1),
        outside("heads", shape.heads, 1, most.heads, 1), outside("ffn", shape.ffn, 64, most.ffn, 64),
        outside("out", shape.out, 64, most.out, 64),
        outside("max_words", shape.max_words, 1, most.max_words, 1),
        outside("max_features", shape.max_features, 1, most.max_features, 1)}) {
    if (!fault.empty()) return fault;
  }
  if (shape.dim % shape.heads != 0 || shape.dim / shape.heads % 16 != 0 ||
      shape.dim / shape.heads > kLargestHead) {
    return fmt::format("{} heads do not divide {} into multiples of 16 up to {}", shape.heads,
                       shape.dim, kLargestHead);
  }
  return {};
}

// Hands out the tensors one after the other. Running past the end or meeting a value out of bounds is
// remembered; what is handed out then must not be read.
class TensorReader {
 public:
  TensorReader(std::span<const std::byte> bytes, std::size_t end) : bytes_(bytes), end_(end) {}

  const std::int8_t* integers(std::size_t count) {
    return reinterpret_cast<const std::int8_t*>(take(count));
  }

  const float* floats(std::size_t count) {
    const auto* values = reinterpret_cast<const float*>(take(count * sizeof(float)));
    if (is_short_) return values;
    // No early exit, so that the loop runs at the speed of memory; a NaN fails the comparison.
    std::size_t good = 0;
    for (std::size_t i = 0; i < count; ++i) good += std::fabs(values[i]) <= kLargestValue ? 1 : 0;
    if (good != count) has_bad_value_ = true;
    return values;
  }

  NormTensors norm(std::uint32_t size) {
    NormTensors norm;
    norm.gain = floats(size);
    norm.bias = floats(size);
    return norm;
  }

  LinearTensors linear(std::uint32_t rows, std::uint32_t columns) {
    LinearTensors linear{rows, columns, nullptr, nullptr, nullptr};
    linear.weights = integers(std::size_t{rows} * columns);
    linear.scale = floats(rows);
    linear.bias = floats(rows);
    return linear;
  }

  bool is_short() const { return is_short_; }
  bool has_bad_value() const { return has_bad_value_; }
  std::size_t offset() const { return offset_; }

 private:
  const std::byte* take(std::size_t size) {
    const std::size_t begin = (offset_ + kEncoderAlignment - 1) / kEncoderAlignment * kEncoderAlignment;
    offset_ = begin + size;
    if (offset_ > end_) is_short_ = true;
    return is_short_ ? bytes_.data() : bytes_.data() + begin;
  }

  std::span<const std::byte> bytes_;
  std::size_t end_;
  std::size_t offset_ = kEncoderHeaderBytes;
  bool is_short_ = false;
  bool has_bad_value_ = false;
};

EncoderTensors take_tensors(TensorReader& reader, const EncoderShape& shape) {
  EncoderTensors tensors;
  tensors.shape = shape;
  tensors.embeddings = reader.integers(std::size_t{shape.buckets} * shape.dim);
  tensors.embedding_scale = reader.floats(shape.buckets);
  tensors.positions = reader.floats(std::size_t{shape.max_words} * shape.dim);
  for (std::uint32_t i = 0; i < shape.layers && !reader.is_short(); ++i) {
    LayerTensors layer;
    layer.attention_norm = reader.norm(shape.dim);
    layer.qkv = reader.linear(3 * shape.dim, shape.dim);
    layer.attention_out = reader.linear(shape.dim, shape.dim);
    layer.ffn_norm = reader.norm(shape.dim);
    layer.ffn_in = reader.linear(shape.ffn, shape.dim);
    layer.ffn_out = reader.linear(shape.dim, shape.ffn);
    tensors.layers.push_back(layer);
  }
  tensors.final_norm = reader.norm(shape.dim);
  tensors.pool_query = reader.floats(shape.dim);
  tensors.projection = reader.linear(shape.out, shape.dim);
  return tensors;
}

}  // namespace

Result<EncoderTensors> read_encoder(std::span<const std::byte> bytes) {
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kEncoderAlignment != 0) {
    return fail(ErrorCode::InvalidInput, "encoder: the bytes do not lie at a multiple of 64");
  }
  if (bytes.size() < kEncoderHeaderBytes) {
    return corrupt(fmt::format("{} bytes are too few for a header", bytes.size()));
  }
  if (bytes.size() > kLargestEncoderFile) {
    return corrupt(fmt::format("{} bytes, at most {} are allowed", bytes.size(), kLargestEncoderFile));
  }
  if (std::memcmp(bytes.data(), kEncoderMagic, sizeof kEncoderMagic) != 0) {
    return corrupt("not an encoder file of version 2 (the first 8 bytes differ)");
  }
  const Header header = read_header(bytes);
  if (header.header_bytes != kEncoderHeaderBytes) {
    return corrupt(
        fmt::format("header of {} bytes, expected {}", header.header_bytes, kEncoderHeaderBytes));
  }
  if (std::string fault = shape_fault(header.shape); !fault.empty()) return corrupt(std::move(fault));

  const std::size_t room = bytes.size() - kEncoderHeaderBytes;
  if (header.payload_bytes > room || room - header.payload_bytes >= 8) {
    return corrupt(fmt::format("{} bytes of payload announced, {} found", header.payload_bytes, room));
  }
  const auto payload = bytes.subspan(kEncoderHeaderBytes, header.payload_bytes);
  if (const std::uint64_t found = payload_checksum(payload); found != header.checksum) {
    return corrupt(
        fmt::format("checksum {:016x}, expected {:016x}: the file is damaged", found, header.checksum));
  }
  const std::size_t end = kEncoderHeaderBytes + header.payload_bytes;
  TensorReader reader(bytes, end);
  EncoderTensors tensors = take_tensors(reader, header.shape);
  if (reader.is_short() || end - reader.offset() >= kEncoderAlignment) {
    return corrupt(
        fmt::format("the sizes do not add up to the payload's {} bytes", header.payload_bytes));
  }
  if (reader.has_bad_value()) {
    return corrupt(fmt::format("a weight is not a number within {} of 0", kLargestValue));
  }
  tensors.checksum = header.checksum;
  return tensors;
}

std::uint64_t payload_checksum(std::span<const std::byte> payload) {
  constexpr std::uint64_t kPrime = 1099511628211ULL;
  std::uint64_t hash = 14695981039346656037ULL;
  std::size_t i = 0;
  for (; i + 8 <= payload.size(); i += 8) hash = (hash ^ read_at<std::uint64_t>(payload, i)) * kPrime;
  if (i == payload.size()) return hash;
  std::uint64_t last = 0;
  std::memcpy(&last, payload.data() + i, payload.size() - i);
  return (hash ^ last) * kPrime;
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return fail(ErrorCode::NotFound, fmt::format("encoder {}: {}", path, std::strerror(errno)));
  }
  struct stat info = {};
  const bool is_file = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  const auto size = is_file ? static_cast<std::size_t>(info.st_size) : 0;
  if (size == 0 || size > kLargestEncoderFile) {
    ::close(file);
    return corrupt(fmt::format("{} is not a file of 1 to {} bytes", path, kLargestEncoderFile));
  }
#ifdef MAP_POPULATE
  constexpr int kFlags = MAP_PRIVATE | MAP_POPULATE;
#else
  constexpr int kFlags = MAP_PRIVATE;
#endif
  void* memory = ::mmap(nullptr, size, PROT_READ, kFlags, file, 0);
  const int reason = errno;
  ::close(file);
  if (memory == MAP_FAILED) {
    return fail(ErrorCode::Upstream, fmt::format("encoder {}: {}", path, std::strerror(reason)));
  }
  return MappedFile({static_cast<const std::byte*>(memory), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace signalbox

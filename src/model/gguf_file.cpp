#include "model/gguf_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/utf8.h"
#include "model/gguf_bytes.h"
#include "model/gguf_types.h"

namespace signalbox {
namespace {

constexpr std::uint64_t kMostValues = 1U << 16;
constexpr std::uint64_t kMostTensors = 1U << 20;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48;
constexpr std::size_t kLongestValue = 120;
constexpr std::uint64_t kDefaultAlignment = 32;

enum Kind : std::uint32_t { kText = 8, kArray = 9, kKinds = 13 };

tl::unexpected<Error> damaged(std::string reason) {
  return fail(ErrorCode::Corrupt, "damaged GGUF file: " + std::move(reason));
}

std::string shortened(std::string_view text) {
  const std::string_view start = utf8_prefix(text, kLongestValue);
  return start.size() == text.size() ? std::string(text) : std::string(start) + "…";
}

// A scalar as text; nothing for a kind that is none.
std::optional<std::string> scalar(GgufBytes& in, std::uint32_t kind) {
  switch (kind) {
    case 0:
      return std::to_string(in.number<std::uint8_t>());
    case 1:
      return std::to_string(in.number<std::int8_t>());
    case 2:
      return std::to_string(in.number<std::uint16_t>());
    case 3:
      return std::to_string(in.number<std::int16_t>());
    case 4:
      return std::to_string(in.number<std::uint32_t>());
    case 5:
      return std::to_string(in.number<std::int32_t>());
    case 6:
      return fmt::format("{}", in.number<float>());
    case 7:
      return in.number<std::uint8_t>() != 0 ? "true" : "false";
    case 10:
      return std::to_string(in.number<std::uint64_t>());
    case 11:
      return std::to_string(in.number<std::int64_t>());
    case 12:
      return fmt::format("{}", in.number<double>());
    default:
      return std::nullopt;
  }
}

// Passes over an array and returns how many items it had; nothing when it is damaged.
std::optional<std::uint64_t> pass_array(GgufBytes& in) {
  constexpr std::uint8_t kSizes[kKinds] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  const auto kind = in.number<std::uint32_t>();
  const auto count = in.number<std::uint64_t>();
  if (in.failed() || kind >= kKinds || kind == kArray || count > in.left()) return std::nullopt;
  if (kind != kText) {
    if (!in.skip(count * kSizes[kind])) return std::nullopt;
    return count;
  }
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) in.text();
  return in.failed() ? std::nullopt : std::optional(count);
}

Result<void> read_value(GgufBytes& in, GgufHeader& header) {
  const std::string key(in.text());
  const auto kind = in.number<std::uint32_t>();
  if (in.failed() || key.empty() || key.size() > 65535) return damaged("a key cannot be read");
  if (kind == kArray) {
    const auto count = pass_array(in);
    if (!count) return damaged(fmt::format("the list '{}' cannot be read", shortened(key)));
    if (key == "tokenizer.ggml.tokens") header.vocabulary = *count;
    return {};
  }
  if (kind == kText) {
    const std::string_view text = in.text();
    if (key == "tokenizer.chat_template") header.chat_template = text;
    if (!in.failed()) header.values[key] = shortened(text);
  } else if (const auto value = scalar(in, kind)) {
    header.values[key] = *value;
  } else {
    return damaged(fmt::format("'{}' is of no known kind", shortened(key)));
  }
  if (in.failed()) return damaged(fmt::format("it ends inside '{}'", shortened(key)));
  return {};
}

// How far the tensor reaches into the data, and its elements; nothing when its numbers cannot be.
struct Extent {
  std::uint64_t end = 0;
  std::uint64_t elements = 1;
};

std::optional<Extent> read_tensor(GgufBytes& in, std::uint64_t alignment) {
  const std::string_view name = in.text();
  const auto dimensions = in.number<std::uint32_t>();
  if (in.failed() || name.size() > 255 || dimensions > 4) return std::nullopt;
  Extent extent;
  std::uint64_t row = 1;
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    const auto size = in.number<std::uint64_t>();
    if (size == 0 || size > kMostElements / extent.elements) return std::nullopt;
    if (i == 0) row = size;
    extent.elements *= size;
  }
  const auto type = in.number<std::uint32_t>();
  const auto offset = in.number<std::uint64_t>();
  if (in.failed() || type > 255 || offset % alignment != 0 || offset > kMostElements)
    return std::nullopt;
  const GgufBlock block = type < std::size(kGgufBlocks) ? kGgufBlocks[type] : GgufBlock{};
  if (block.elements != 0 && row % block.elements != 0) return std::nullopt;
  const std::uint64_t bytes = block.elements == 0 ? 1 : extent.elements / block.elements * block.bytes;
  extent.end = offset + bytes;
  return extent;
}

std::uint64_t whole(const GgufHeader& header, const std::string& key) {
  const auto found = header.values.find(key);
  std::uint64_t number = 0;
  if (found != header.values.end())
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
  return number;
}

std::string text_of(const GgufHeader& header, const std::string& key) {
  const auto found = header.values.find(key);
  return found == header.values.end() ? std::string() : found->second;
}

void name_values(GgufHeader& header) {
  header.architecture = text_of(header, "general.architecture");
  header.type = text_of(header, "general.type");
  if (header.type.empty()) header.type = "model";
  header.name = text_of(header, "general.name");
  header.license = text_of(header, "general.license");
  header.tokenizer = text_of(header, "tokenizer.ggml.model");
  header.context = whole(header, header.architecture + ".context_length");
  header.layers = whole(header, header.architecture + ".block_count");
  header.width = whole(header, header.architecture + ".embedding_length");
  const std::uint64_t mix = whole(header, "general.file_type");
  if (header.values.contains("general.file_type") && mix < std::size(kGgufMixes))
    header.quantisation = kGgufMixes[mix];
}

}  // namespace

Result<GgufHeader> read_gguf_header(std::span<const std::byte> bytes, std::uint64_t file_bytes) {
  GgufBytes in(bytes);
  if (bytes.size() < 4 || std::memcmp(bytes.data(), "GGUF", 4) != 0)
    return fail(ErrorCode::Corrupt, "not a GGUF file");
  in.skip(4);
  GgufHeader header;
  header.version = in.number<std::uint32_t>();
  if (header.version != 2 && header.version != 3)
    return fail(ErrorCode::Corrupt, fmt::format("GGUF version {}; 2 and 3 are read", header.version));
  header.tensors = in.number<std::uint64_t>();
  const auto values = in.number<std::uint64_t>();
  if (in.failed() || header.tensors > kMostTensors || values > kMostValues)
    return damaged("its counts cannot be");
  for (std::uint64_t i = 0; i < values; ++i) {
    if (auto read = read_value(in, header); !read) return tl::unexpected(read.error());
  }
  name_values(header);
  if (header.architecture.empty()) return damaged("it names no architecture");
  std::uint64_t alignment = kDefaultAlignment;
  if (header.values.contains("general.alignment")) alignment = whole(header, "general.alignment");
  if (alignment == 0 || alignment > 65536 || (alignment & (alignment - 1)) != 0)
    return damaged("its alignment is no power of two");
  std::uint64_t data_bytes = 0;
  for (std::uint64_t i = 0; i < header.tensors; ++i) {
    const auto extent = read_tensor(in, alignment);
    if (!extent) return damaged(fmt::format("tensor {} of {} cannot be read", i + 1, header.tensors));
    data_bytes = std::max(data_bytes, extent->end);
    header.parameters += extent->elements;
  }
  const std::uint64_t data_start = (in.position() + alignment - 1) / alignment * alignment;
  if (header.tensors > 0 && data_start + data_bytes > file_bytes) {
    return damaged(fmt::format("it is cut: {} bytes of {}", file_bytes, data_start + data_bytes));
  }
  return header;
}

Result<GgufHeader> read_gguf_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(ErrorCode::NotFound, fmt::format("{}: {}", path, std::strerror(errno)));
  struct stat info = {};
  const bool is_file = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  const auto size = is_file ? static_cast<std::size_t>(info.st_size) : 0;
  void* memory = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) return fail(ErrorCode::Corrupt, path + ": not a GGUF file");
  auto header = read_gguf_header({static_cast<const std::byte*>(memory), size}, size);
  ::munmap(memory, size);
  if (!header) return fail(header.error().code, path + ": " + header.error().message);
  return header;
}

}  // namespace signalbox

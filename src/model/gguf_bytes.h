// Takes numbers and texts from the front of a GGUF header; after the first that is not there, all are
// zero.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace signalbox {

static_assert(std::endian::native == std::endian::little, "GGUF is read in place as little endian");

class GgufBytes {
 public:
  explicit GgufBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  std::size_t position() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  bool skip(std::uint64_t count) {
    if (failed_ || count > left()) return !(failed_ = true);
    at_ += count;
    return true;
  }

  template <typename Number>
  Number number() {
    Number value{};
    const std::size_t from = at_;
    if (skip(sizeof value)) std::memcpy(&value, bytes_.data() + from, sizeof value);
    return value;
  }

  std::string_view text() {
    const auto length = number<std::uint64_t>();
    const std::size_t from = at_;
    if (!skip(length)) return {};
    return {reinterpret_cast<const char*>(bytes_.data()) + from, static_cast<std::size_t>(length)};
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace signalbox

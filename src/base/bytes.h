// Writes and reads plain values, texts and lists as one run of bytes, little endian.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace signalbox {

static_assert(std::endian::native == std::endian::little, "bytes are written as memory stands");

class ByteWriter {
 public:
  explicit ByteWriter(std::size_t expected_bytes = 0) { bytes_.reserve(expected_bytes); }

  template <typename T>
    requires std::is_arithmetic_v<T>
  void put(T value) {
    const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  void put(std::string_view text) { put_all(std::span(text.data(), text.size())); }
  template <typename T>
  void put_all(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    const auto raw = std::as_bytes(values);
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// After the first value that is not there, every read gives zero and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
    requires std::is_arithmetic_v<T>
  T get() {
    T value{};
    if (const std::byte* from = take(sizeof(T))) std::memcpy(&value, from, sizeof(T));
    return value;
  }
  template <typename T>
  std::vector<T> get_all() {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) {
      fail();
      return {};
    }
    std::vector<T> values(static_cast<std::size_t>(count));
    if (const std::byte* from = take(values.size() * sizeof(T)); from != nullptr && !values.empty()) {
      std::memcpy(values.data(), from, values.size() * sizeof(T));
    }
    return values;
  }
  std::string get_text() {
    const std::size_t size = get_count();
    const std::byte* from = take(size);
    return from != nullptr ? std::string(reinterpret_cast<const char*>(from), size) : std::string();
  }
  // A count of things that take at least one byte each.
  std::size_t get_count() {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size()) fail();
    return ok_ ? static_cast<std::size_t>(count) : 0;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }
  void fail() {
    ok_ = false;
    bytes_ = {};
  }

 private:
  const std::byte* take(std::size_t size) {
    if (!ok_ || size > bytes_.size()) {
      fail();
      return nullptr;
    }
    const std::byte* from = bytes_.data();
    bytes_ = bytes_.subspan(size);
    return from;
  }

  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

}  // namespace signalbox

// An encoder file with random weights, for tests and benchmarks that need the shape and not the sense.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "model/encoder_file.h"

namespace signalbox {

class RandomEncoderFile {
 public:
  static constexpr EncoderShape kSmall = {997, 64, 2, 4, 128, 64, 48, 24};
  static constexpr EncoderShape kShipped = {49152, 256, 3, 4, 512, 384, 48, 24};

  explicit RandomEncoderFile(const EncoderShape& shape = kSmall, std::uint32_t seed = 1)
      : random_(seed) {
    const float dim = static_cast<float>(shape.dim);
    bytes_.resize(kEncoderHeaderBytes);
    integers(std::size_t{shape.buckets} * shape.dim);
    floats(shape.buckets, 0.4F / 127.0F, 0.05F / 127.0F);
    floats(std::size_t{shape.max_words} * shape.dim, 0.0F, 0.2F);
    for (std::uint32_t i = 0; i < shape.layers; ++i) {
      norm(shape.dim);
      linear(3 * shape.dim, shape.dim);
      linear(shape.dim, shape.dim);
      norm(shape.dim);
      linear(shape.ffn, shape.dim);
      linear(shape.dim, shape.ffn);
    }
    norm(shape.dim);
    floats(shape.dim, 0.0F, 4.0F / std::sqrt(dim));
    linear(shape.out, shape.dim);
    seal(shape);
  }

  // At a multiple of 64, as long as this object lives and is not changed.
  std::span<const std::byte> bytes() {
    aligned_.resize(bytes_.size() + kEncoderAlignment);
    const std::size_t off = reinterpret_cast<std::uintptr_t>(aligned_.data()) % kEncoderAlignment;
    std::byte* begin = aligned_.data() + (kEncoderAlignment - off) % kEncoderAlignment;
    std::memcpy(begin, bytes_.data(), bytes_.size());
    return {begin, bytes_.size()};
  }

  std::vector<std::byte>& raw() { return bytes_; }

  template <typename T>
  void put(std::size_t offset, T value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }

  // Makes the checksum right again after a change to the payload.
  void sign() {
    put(52, payload_checksum(std::span<const std::byte>(bytes_).subspan(kEncoderHeaderBytes)));
  }

  void save(const std::string& path) const {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes_.data()),
               static_cast<std::streamsize>(bytes_.size()));
  }

 private:
  void align() {
    while (bytes_.size() % kEncoderAlignment != 0) bytes_.push_back(std::byte{0});
  }

  void integers(std::size_t count) {
    align();
    std::uniform_int_distribution<int> value(-127, 127);
    for (std::size_t i = 0; i < count; ++i) bytes_.push_back(static_cast<std::byte>(value(random_)));
  }

  void floats(std::size_t count, float mean, float deviation) {
    align();
    std::normal_distribution<float> value(mean, deviation);
    for (std::size_t i = 0; i < count; ++i) {
      const float drawn = value(random_);
      const auto* from = reinterpret_cast<const std::byte*>(&drawn);
      bytes_.insert(bytes_.end(), from, from + sizeof drawn);
    }
  }

  void norm(std::size_t dim) {
    floats(dim, 1.0F, 0.1F);
    floats(dim, 0.0F, 0.1F);
  }

  // Scaled so that a layer neither drowns its input nor vanishes beside it.
  void linear(std::size_t rows, std::size_t columns) {
    const float scale = 1.0F / (73.0F * std::sqrt(static_cast<float>(columns)));
    integers(rows * columns);
    floats(rows, scale, scale / 10);
    floats(rows, 0.0F, 0.05F);
  }

  void seal(const EncoderShape& shape) {
    while (bytes_.size() % 8 != 0) bytes_.push_back(std::byte{0});
    std::memcpy(bytes_.data(), kEncoderMagic, sizeof kEncoderMagic);
    const std::uint32_t sizes[] = {kEncoderHeaderBytes, shape.buckets,   shape.dim,
                                   shape.layers,        shape.heads,     shape.ffn,
                                   shape.out,           shape.max_words, shape.max_features};
    std::memcpy(bytes_.data() + 8, sizes, sizeof sizes);
    put(44, std::uint64_t{bytes_.size() - kEncoderHeaderBytes});
    sign();
  }

  std::mt19937 random_;
  std::vector<std::byte> bytes_;
  std::vector<std::byte> aligned_;
};

}  // namespace signalbox

// An encoder without weights: every word, cut to its first four letters, has a direction drawn from its
// hash; a text is their sum, made unit length. Texts that share word stems lie close together.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>

#include "model/encoder.h"

namespace signalbox {

class FakeEncoder : public Encoder {
 public:
  explicit FakeEncoder(std::size_t dimensions = 24, std::string name = "fake")
      : dimensions_(dimensions), name_(std::move(name)) {}

  std::size_t dimensions() const override { return dimensions_; }
  std::string fingerprint() const override { return name_; }

  EncodeNote encode(std::string_view text, std::span<float> out) const override {
    ++calls;
    for (float& v : out) v = 0;
    EncodeNote note;
    std::string stem;
    const auto finish_word = [&] {
      if (!stem.empty()) ++note.words;
      if (!stem.empty()) add_word(stem, out);
      stem.clear();
    };
    for (const char c : text) {
      if (c == ' ' || c == '\t' || c == '\n') {
        finish_word();
      } else if (stem.size() < 4) {
        stem += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
      }
    }
    finish_word();
    float sum = 0;
    for (const float v : out) sum += v * v;
    for (float& v : out) v = sum > 0 ? v / std::sqrt(sum) : 0;
    note.words_used = note.words;
    note.windows = note.words > 0 ? 1 : 0;
    return note;
  }

  mutable std::atomic<int> calls{0};

 private:
  static void add_word(const std::string& stem, std::span<float> out) {
    std::uint64_t state = 1469598103934665603ULL;
    for (const char c : stem) state = (state ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    for (float& v : out) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      v += static_cast<float>(static_cast<std::int32_t>(state >> 32U)) / 2147483648.0F;
    }
  }

  std::size_t dimensions_;
  std::string name_;
};

}  // namespace signalbox

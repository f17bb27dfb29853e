#include "model/features.h"

#include <algorithm>
#include <array>

namespace signalbox {
namespace {

// FNV-1a, fed piece by piece: a 4-gram goes on from the 3-gram it begins with.
class Hash {
 public:
  Hash() = default;
  explicit Hash(char kind) { add(kind); }

  void add(char byte) { state_ = (state_ ^ static_cast<unsigned char>(byte)) * 1099511628211ULL; }
  void add(const char* begin, const char* end) {
    for (; begin != end; ++begin) add(*begin);
  }
  std::uint32_t bucket(std::uint32_t buckets) const {
    // FNV's last byte reaches only the low bits; the multiplication carries it to the high ones.
    const std::uint64_t mixed = (state_ ^ (state_ >> 32)) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::uint32_t>(((mixed >> 32) * buckets) >> 32);
  }

 private:
  std::uint64_t state_ = 14695981039346656037ULL;
};

// "<word>" with the start of every code point.
struct Marked {
  std::array<char, kLongestWord * 4 + 2> bytes;
  std::array<std::uint16_t, kLongestWord + 3> starts;
  std::size_t points = 0;

  explicit Marked(std::string_view word) {
    std::size_t size = 0;
    bytes[size++] = '<';
    starts[points++] = 0;
    for (const char c : word) {
      const bool is_start = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      if (is_start && points == kLongestWord + 1) break;
      if (is_start) starts[points++] = static_cast<std::uint16_t>(size);
      bytes[size++] = c;
    }
    starts[points++] = static_cast<std::uint16_t>(size);
    bytes[size++] = '>';
    starts[points] = static_cast<std::uint16_t>(size);
  }

  const char* at(std::size_t point) const { return bytes.data() + starts[point]; }
};

}  // namespace

std::size_t word_features(const Words& words, const Word& word, std::uint32_t buckets,
                          std::span<std::uint32_t> out) {
  if (out.empty()) return 0;
  std::size_t count = 0;
  const auto add = [&](const Hash& hash) { out[count++] = hash.bucket(buckets); };
  if (word.kind != WordKind::Run) {
    Hash whole('w');
    const std::string_view text = words.view(word);
    whole.add(text.data(), text.data() + text.size());
    add(whole);
    if (word.pair_size == 0 || count == out.size()) return count;
    Hash pair('p');
    const std::string_view both = words.pair(word);
    pair.add(both.data(), both.data() + both.size());
    add(pair);
    return count;
  }

  const Marked marked(words.view(word));
  Hash whole('w');
  whole.add(marked.at(1), marked.at(marked.points - 1));
  add(whole);
  // The gram that is all of "<word>" says nothing the word itself does not.
  std::array<Hash, kLongestWord + 2> grams;
  for (std::size_t n = 3; n <= 5 && n < marked.points; ++n) {
    const std::size_t positions = std::min(marked.points - n + 1, out.size() - count);
    for (std::size_t i = 0; i < positions; ++i) {
      if (n == 3) {
        grams[i] = Hash('g');
        grams[i].add(marked.at(i), marked.at(i + 3));
      } else {
        grams[i].add(marked.at(i + n - 1), marked.at(i + n));
      }
      add(grams[i]);
    }
  }
  return count;
}

}  // namespace signalbox

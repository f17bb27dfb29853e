#include "model/ngram.h"

#include <algorithm>
#include <array>

#include "model/words.h"

namespace signalbox {
namespace {

constexpr std::uint64_t kWordSeed = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kRunSeed = 0xC2B2AE3D27D4EB4FULL;
constexpr std::uint64_t kPairSeed = 0x165667B19E3779F9ULL;
constexpr std::size_t kLongestRun = 5;

struct Scratch {
  Words words;
  std::vector<char32_t> stretch;      // a word, or neighbours of a script without spaces
  std::vector<std::uint64_t> hashes;  // one a word
};

std::uint64_t mix(std::uint64_t hash, char32_t c) {
  return (hash ^ c) * 0x100000001B3ULL + (hash >> 29U);
}

NgramKey finish(std::uint64_t hash, bool is_word) {
  hash ^= hash >> 33U;
  hash *= 0xFF51AFD7ED558CCDULL;
  hash ^= hash >> 33U;
  const auto key = static_cast<NgramKey>(hash >> 32U);
  return is_word ? (key | 1U) : (key & ~NgramKey{1});
}

// Appends the code points of `text`, which split_words() made: valid UTF-8.
void append_points(std::string_view text, std::vector<char32_t>& out) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t k = 1; k < size && i + k < text.size(); ++k) {
      point = (point << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    }
    out.push_back(point);
    i += size;
  }
}

// Runs of characters of a stretch, which is read with a blank on either side.
void add_runs(std::vector<char32_t>& stretch, std::vector<NgramKey>& out) {
  stretch.insert(stretch.begin(), U' ');
  stretch.push_back(U' ');
  for (std::size_t start = 0; start + 1 < stretch.size(); ++start) {
    std::uint64_t hash = mix(kRunSeed, stretch[start]);
    const std::size_t end = std::min(stretch.size(), start + kLongestRun);
    for (std::size_t i = start + 1; i < end; ++i) {
      hash = mix(hash, stretch[i]);
      out.push_back(finish(hash, false));
    }
  }
}

bool touches(const Word& left, const Word& right) {
  return left.kind == WordKind::Unspaced && right.kind == WordKind::Unspaced &&
         left.begin + left.size == right.begin;
}

void add_text(std::string_view text, Scratch& scratch, std::vector<NgramKey>& out) {
  split_words(text, scratch.words);
  const std::vector<Word>& words = scratch.words.list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t first = scratch.stretch.size();
    append_points(scratch.words.view(words[i]), scratch.stretch);
    std::uint64_t hash = kWordSeed;
    for (std::size_t k = first; k < scratch.stretch.size(); ++k) hash = mix(hash, scratch.stretch[k]);
    scratch.hashes.push_back(hash);
    if (i + 1 < words.size() && touches(words[i], words[i + 1])) continue;
    if (words[i].kind != WordKind::Symbol) add_runs(scratch.stretch, out);
    scratch.stretch.clear();
  }
}

}  // namespace

void extract_ngrams(std::string_view text, std::vector<NgramKey>& out) {
  thread_local Scratch scratch;
  out.clear();
  scratch.hashes.clear();
  scratch.stretch.clear();
  if (text.size() <= kNgramHeadBytes + kNgramTailBytes) {
    add_text(text, scratch, out);
  } else {
    const auto continues = [&](std::size_t at) {
      return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    std::size_t head = kNgramHeadBytes;
    while (head > 0 && continues(head)) --head;
    std::size_t tail = text.size() - kNgramTailBytes;
    while (continues(tail)) ++tail;
    add_text(text.substr(0, head), scratch, out);
    add_text(text.substr(tail), scratch, out);
  }
  const auto& hashes = scratch.hashes;
  for (std::size_t w = 0; w < hashes.size(); ++w) {
    out.push_back(finish(hashes[w], true));
    if (w > 0) out.push_back(finish(hashes[w - 1] * kPairSeed + hashes[w], true));
  }
}

float term_weight(std::size_t count) {
  static constexpr std::array<float, 17> kWeights = {
      0.0F,        1.0F,        1.69314718F, 2.09861229F, 2.38629436F, 2.60943791F,
      2.79175947F, 2.94591015F, 3.07944154F, 3.19722458F, 3.30258509F, 3.39789527F,
      3.48490665F, 3.56494936F, 3.63905733F, 3.70805020F, 3.77258872F};
  return kWeights[std::min(count, kWeights.size() - 1)];
}

}  // namespace signalbox

#include "model/ngram.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>

namespace signalbox {
namespace {

enum class Kind : std::uint8_t { Space, Mark, Letter, Unspaced };

constexpr std::uint64_t kWordSeed = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kRunSeed = 0xC2B2AE3D27D4EB4FULL;
constexpr std::uint64_t kPairSeed = 0x165667B19E3779F9ULL;
constexpr std::size_t kShortestRun = 2;
constexpr std::size_t kLongestRun = 5;

struct Scratch {
  std::vector<char32_t> text;
  std::vector<std::uint64_t> words;  // hashes, in order; 0 breaks a pair
};

bool is_unspaced(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2FA1F) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x3040 && c <= 0x30FF) || (c >= 0x0E00 && c <= 0x0EFF) ||
         (c >= 0x1780 && c <= 0x17FF) || (c >= 0x1000 && c <= 0x109F);
}

Kind kind_of(char32_t c) {
  if (c < 0x80) {
    if (c <= 0x20 || c == 0x7F) return Kind::Space;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    return letter ? Kind::Letter : Kind::Mark;
  }
  if (is_unspaced(c)) return Kind::Unspaced;
  const auto point = static_cast<UChar32>(c);
  if (u_isUWhiteSpace(point) != 0 || u_iscntrl(point) != 0) return Kind::Space;
  constexpr std::uint32_t kLetters = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK;
  return (U_GET_GC_MASK(point) & kLetters) != 0 ? Kind::Letter : Kind::Mark;
}

void fold(std::string_view text, std::vector<char32_t>& out) {
  const bool is_ascii = std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
  if (is_ascii) {
    for (const char c : text) {
      const bool upper = c >= 'A' && c <= 'Z';
      out.push_back(static_cast<char32_t>(upper ? c + ('a' - 'A') : c));
    }
    return;
  }
  UErrorCode status = U_ZERO_ERROR;
  const auto source = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(status);
  icu::UnicodeString folded = U_SUCCESS(status) ? nfkc->normalize(source, status) : source;
  if (U_FAILURE(status)) folded = source;
  folded.toLower(icu::Locale::getRoot());
  for (std::int32_t i = 0; i < folded.length();) {
    const UChar32 point = folded.char32At(i);
    out.push_back(point == 0x2019 ? U'\'' : static_cast<char32_t>(point));
    i += U16_LENGTH(point);
  }
}

void fold_bounded(std::string_view text, std::vector<char32_t>& out) {
  out.clear();
  if (text.size() <= kNgramHeadBytes + kNgramTailBytes) return fold(text, out);
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  std::size_t head = kNgramHeadBytes;
  while (head > 0 && continues(head)) --head;
  std::size_t tail = text.size() - kNgramTailBytes;
  while (continues(tail)) ++tail;
  fold(text.substr(0, head), out);
  out.push_back(U' ');
  fold(text.substr(tail), out);
}

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

// Runs of characters inside [begin, end), which is read with a blank on either side.
void add_runs(const std::vector<char32_t>& text, std::size_t begin, std::size_t end,
              std::vector<NgramKey>& out) {
  const std::size_t length = end - begin + 2;
  const auto at = [&](std::size_t i) { return i == 0 || i + 1 == length ? U' ' : text[begin + i - 1]; };
  for (std::size_t start = 0; start + kShortestRun <= length; ++start) {
    std::uint64_t hash = mix(kRunSeed, at(start));
    const std::size_t last = std::min(length - start, kLongestRun);
    for (std::size_t n = 2; n <= last; ++n) {
      hash = mix(hash, at(start + n - 1));
      out.push_back(finish(hash, false));
    }
  }
}

std::uint64_t word_hash(const std::vector<char32_t>& text, std::size_t begin, std::size_t end) {
  std::uint64_t hash = kWordSeed;
  for (std::size_t i = begin; i < end; ++i) hash = mix(hash, text[i]);
  return hash;
}

bool is_inner_apostrophe(const std::vector<char32_t>& text, std::size_t i) {
  return text[i] == U'\'' && i + 1 < text.size() && kind_of(text[i + 1]) == Kind::Letter;
}

}  // namespace

void extract_ngrams(std::string_view text, std::vector<NgramKey>& out) {
  thread_local Scratch scratch;
  out.clear();
  scratch.words.clear();
  fold_bounded(text, scratch.text);
  const std::vector<char32_t>& folded = scratch.text;
  for (std::size_t i = 0; i < folded.size();) {
    const Kind kind = kind_of(folded[i]);
    const std::size_t begin = i++;
    if (kind == Kind::Space) continue;
    if (kind == Kind::Letter) {
      while (i < folded.size() && (kind_of(folded[i]) == Kind::Letter || is_inner_apostrophe(folded, i))) ++i;
      scratch.words.push_back(word_hash(folded, begin, i));
      add_runs(folded, begin, i, out);
    } else if (kind == Kind::Unspaced) {
      while (i < folded.size() && kind_of(folded[i]) == Kind::Unspaced) ++i;
      for (std::size_t c = begin; c < i; ++c) scratch.words.push_back(word_hash(folded, c, c + 1));
      add_runs(folded, begin, i, out);
    } else {
      scratch.words.push_back(word_hash(folded, begin, i));
    }
  }
  for (std::size_t w = 0; w < scratch.words.size(); ++w) {
    out.push_back(finish(scratch.words[w], true));
    if (w > 0) out.push_back(finish(scratch.words[w - 1] * kPairSeed + scratch.words[w], true));
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

#include "model/unigram_charsmap.h"

#include "model/tokenizer_text.h"

namespace signalbox::tokenizer {
namespace {

// Graphemes of this many bytes or more are looked up letter by letter only.
constexpr std::size_t kLongGrapheme = 6;

// The fields of one unit of a double-array trie.
std::uint32_t offset_of(std::uint32_t unit) {
  return (unit >> 10U) << ((unit & (1U << 9U)) >> 6U);
}
std::uint32_t label_of(std::uint32_t unit) {
  return unit & ((1U << 31U) | 0xFFU);
}
std::uint32_t value_of(std::uint32_t unit) {
  return unit & ((1U << 31U) - 1);
}
bool has_leaf(std::uint32_t unit) {
  return ((unit >> 8U) & 1U) == 1;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

Result<CharsMap> CharsMap::create(std::string_view blob) {
  if (blob.size() < 4)
    return fail(ErrorCode::Corrupt, "precompiled_charsmap is shorter than its header");
  const std::size_t trie_bytes = little_endian(blob, 0);
  if (trie_bytes % 4 != 0 || trie_bytes == 0 || trie_bytes > blob.size() - 4) {
    return fail(ErrorCode::Corrupt, "precompiled_charsmap ends inside its trie");
  }
  std::vector<std::uint32_t> trie(trie_bytes / 4);
  for (std::size_t i = 0; i < trie.size(); ++i) trie[i] = little_endian(blob, 4 + 4 * i);
  return CharsMap(std::move(trie), std::string(blob.substr(4 + trie_bytes)));
}

Result<CharsMap> CharsMap::from_base64(std::string_view base64) {
  std::string blob;
  std::uint32_t bits = 0;
  unsigned have = 0;
  while (!base64.empty() && base64.back() == '=') base64.remove_suffix(1);
  for (const char c : base64) {
    const int digit = base64_digit(c);
    if (digit < 0) return fail(ErrorCode::Corrupt, "precompiled_charsmap is not base64");
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    blob.push_back(static_cast<char>((bits >> have) & 0xFFU));
  }
  return create(blob);
}

std::optional<std::string_view> CharsMap::replacement(std::string_view part) const {
  std::size_t node = offset_of(trie_[0]);
  for (const char c : part) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) return std::nullopt;
    node ^= byte;
    if (node >= trie_.size() || label_of(trie_[node]) != byte) return std::nullopt;
    const bool is_end = has_leaf(trie_[node]);
    node ^= offset_of(trie_[node]);
    if (node >= trie_.size()) return std::nullopt;
    if (!is_end) continue;
    const std::size_t start = value_of(trie_[node]);
    if (start >= texts_.size()) return std::nullopt;
    const std::size_t end = texts_.find('\0', start);
    return std::string_view(texts_).substr(start, end == std::string::npos ? end : end - start);
  }
  return std::nullopt;
}

std::u32string CharsMap::apply(std::u32string_view text) const {
  std::u32string out;
  out.reserve(text.size());
  std::size_t start = 0;
  for (const std::size_t end : grapheme_ends(text)) {
    const std::u32string_view grapheme = text.substr(start, end - start);
    start = end;
    const std::string bytes = to_utf8(grapheme);
    if (bytes.size() < kLongGrapheme) {
      if (const auto whole = replacement(bytes)) {
        out += to_code_points(*whole);
        continue;
      }
    }
    for (const char32_t letter : grapheme) {
      if (const auto one = replacement(to_utf8({&letter, 1}))) {
        out += to_code_points(*one);
      } else {
        out.push_back(letter);
      }
    }
  }
  return out;
}

}  // namespace signalbox::tokenizer

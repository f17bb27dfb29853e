#include "normalize/tokens.h"

#include <unicode/uchar.h>

#include <array>

#include "base/hash.h"
#include "base/utf8.h"

namespace signalbox {
namespace {

bool is_digit(char32_t c) {
  return c < 0x80 ? c >= '0' && c <= '9'
                  : u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER;
}

constexpr auto kPlainWordCharacters = [] {
  std::array<bool, 0x80> is{};
  for (char32_t c = 0; c < is.size(); ++c)
    is[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  return is;
}();

bool is_word_character(char32_t c) {
  if (c < 0x80) return kPlainWordCharacters[c];
  const auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
  return (mask & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) != 0;
}

bool is_sign(char32_t c) {
  if (c < 0x80) return c == '%' || c == '$' || c == '@' || c == '#';
  return u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL;
}

bool ends_sentence(char32_t c) {
  return c == '.' || c == '?' || c == '!' || c == ';' || c == 0x3002 /* 。 */ || c == 0xFF1F ||
         c == 0xFF01 || c == 0xFF1B;
}

// Whether the mark at `at` joins what stands on both sides: don't, 1,000.5.
bool joins(std::string_view text, std::size_t at, bool previous_is_digit) {
  if (at + 1 >= text.size()) return false;
  const char mark = text[at];
  const char32_t next = decode_utf8(text, at + 1).value;
  if (mark == '\'') return is_word_character(next) && !is_unspaced_script(next);
  if (mark == '.' || mark == ',') return previous_is_digit && is_digit(next);
  return false;
}

}  // namespace

bool is_unspaced_script(char32_t c) {
  if (c < 0x0E00) return false;
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) || (c >= 0x1780 && c <= 0x17FF) ||
         (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x2FA1F);
}

void tokenize(std::string_view text, std::vector<Token>& out) {
  out.clear();
  out.reserve(text.size() / 4 + 1);  // words of three letters and more grow nothing
  bool after_sentence = true;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint first = decode_utf8(text, at);
    const bool is_word = is_word_character(first.value);
    if (!is_word && !is_sign(first.value)) {
      after_sentence = after_sentence || ends_sentence(first.value);
      at += first.bytes;
      continue;
    }
    Token token;
    token.begin = static_cast<std::uint32_t>(at);
    token.starts_sentence = after_sentence;
    token.is_unspaced = is_unspaced_script(first.value);
    token.is_number = is_digit(first.value);
    at += first.bytes;
    if (is_word && !token.is_unspaced) {
      bool previous_is_digit = token.is_number;
      while (at < text.size()) {
        const CodePoint point = decode_utf8(text, at);
        const bool inside = is_word_character(point.value) && !is_unspaced_script(point.value);
        if (!inside && !joins(text, at, previous_is_digit)) break;
        if (inside) previous_is_digit = is_digit(point.value);
        if (inside && !previous_is_digit) token.is_number = false;
        at += point.bytes;
      }
    }
    token.end = static_cast<std::uint32_t>(at);
    token.hash = hash_text(text.substr(token.begin, token.end - token.begin));
    out.push_back(token);
    after_sentence = false;
  }
}

}  // namespace signalbox

#include "model/tokenizer_text.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>

#include "base/utf8.h"

namespace signalbox::tokenizer {
namespace {

UChar32 as_icu(char32_t c) {
  return static_cast<UChar32>(c);
}

// The reference knows the classes of Unicode 8 and takes everything younger for a letter: so do the
// vocabularies that were made with it.
constexpr std::uint8_t kKnownAge = 8;

std::uint32_t class_mask(char32_t c) {
  UVersionInfo age;
  u_charAge(as_icu(c), age);
  return age[0] <= kKnownAge ? U_GET_GC_MASK(as_icu(c)) : U_GC_LO_MASK;
}

bool is_ascii(std::u32string_view text) {
  return std::all_of(text.begin(), text.end(), [](char32_t c) { return c < 0x80; });
}

icu::UnicodeString to_icu(std::u32string_view text) {
  icu::UnicodeString out(static_cast<int32_t>(text.size()), 0, 0);
  for (const char32_t c : text) out.append(as_icu(c));
  return out;
}

std::u32string from_icu(const icu::UnicodeString& text) {
  std::u32string out;
  out.reserve(static_cast<std::size_t>(text.length()));
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    out.push_back(static_cast<char32_t>(text.char32At(i)));
  }
  return out;
}

const icu::Normalizer2* normalizer_of(NormalForm form, UErrorCode& status) {
  switch (form) {
    case NormalForm::Nfc:
      return icu::Normalizer2::getNFCInstance(status);
    case NormalForm::Nfd:
      return icu::Normalizer2::getNFDInstance(status);
    case NormalForm::Nfkc:
      return icu::Normalizer2::getNFKCInstance(status);
    case NormalForm::Nfkd:
      return icu::Normalizer2::getNFKDInstance(status);
  }
  return nullptr;
}

}  // namespace

std::u32string to_code_points(std::string_view utf8) {
  std::u32string out;
  out.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const CodePoint point = decode_utf8(utf8, at);
    out.push_back(point.is_valid ? point.value : 0xFFFD);
    at += point.bytes;
  }
  return out;
}

std::string to_utf8(std::u32string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char32_t c : text) append_utf8(out, c);
  return out;
}

bool is_whitespace(char32_t c) {
  return u_isUWhiteSpace(as_icu(c)) != 0;
}

bool is_word_character(char32_t c) {
  const auto mask = U_GET_GC_MASK(as_icu(c));
  return (mask & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0 || u_isUAlphabetic(as_icu(c)) != 0;
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return c > U' ' && c < 0x7F && !u_isalnum(as_icu(c));
  return (class_mask(c) & U_GC_P_MASK) != 0;
}

bool is_control(char32_t c) {
  if (c < 0x7F) return c < U' ' && c != U'\t' && c != U'\n' && c != U'\r';
  return (class_mask(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK | U_GC_CS_MASK)) != 0;
}

bool is_nonspacing_mark(char32_t c) {
  return c >= 0x300 && (class_mask(c) & U_GC_MN_MASK) != 0;
}

bool is_mark(char32_t c) {
  return (U_GET_GC_MASK(as_icu(c)) & U_GC_M_MASK) != 0;
}

bool is_chinese(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
         (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

std::u32string normal_form(NormalForm form, std::u32string_view text) {
  if (is_ascii(text)) return std::u32string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = normalizer_of(form, status);
  if (U_FAILURE(status) || normalizer == nullptr) return std::u32string(text);  // ICU without its data
  const icu::UnicodeString done = normalizer->normalize(to_icu(text), status);
  return U_FAILURE(status) ? std::u32string(text) : from_icu(done);
}

std::u32string lower_case(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    if (c == 0x0130) {
      out += U"i\u0307";  // the one letter whose lower case is two
    } else {
      out.push_back(static_cast<char32_t>(u_tolower(as_icu(c))));
    }
  }
  return out;
}

std::vector<std::size_t> grapheme_ends(std::u32string_view text) {
  std::vector<std::size_t> ends;
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> breaks;
  const bool is_simple = is_ascii(text) && text.find(U'\r') == std::u32string_view::npos;
  if (!is_simple)
    breaks.reset(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  if (is_simple || U_FAILURE(status)) {
    for (std::size_t i = 1; i <= text.size(); ++i) ends.push_back(i);
    return ends;
  }
  const icu::UnicodeString wide = to_icu(text);
  breaks->setText(wide);
  std::size_t points = 0;
  int32_t from = 0;
  breaks->first();
  for (int32_t to = breaks->next(); to != icu::BreakIterator::DONE; to = breaks->next()) {
    points += static_cast<std::size_t>(wide.countChar32(from, to - from));
    ends.push_back(points);
    from = to;
  }
  return ends;
}

}  // namespace signalbox::tokenizer

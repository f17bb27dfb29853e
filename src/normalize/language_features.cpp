#include "normalize/language_features.h"

#include <algorithm>
#include <iterator>

#include "base/utf8.h"

namespace signalbox::language {
namespace {

constexpr std::size_t kHeadBytes = 512;
constexpr std::size_t kMiddleBytes = 256;

struct Range {
  char32_t first;
  char32_t last;
  Script script;
};

// Sorted. Blocks rather than single letters: what is no letter inside a block does no harm.
constexpr Range kRanges[] = {
    {0x00AA, 0x00AA, Script::Latin},      {0x00BA, 0x00BA, Script::Latin},
    {0x00C0, 0x00D6, Script::Latin},      {0x00D8, 0x00F6, Script::Latin},
    {0x00F8, 0x02AF, Script::Latin},      {0x0370, 0x03FF, Script::Greek},
    {0x0400, 0x052F, Script::Cyrillic},   {0x0531, 0x058A, Script::Armenian},
    {0x05D0, 0x05F4, Script::Hebrew},     {0x0620, 0x064A, Script::Arabic},
    {0x066E, 0x06D5, Script::Arabic},     {0x06EE, 0x06EF, Script::Arabic},
    {0x06FA, 0x06FF, Script::Arabic},     {0x0750, 0x077F, Script::Arabic},
    {0x0900, 0x0963, Script::Devanagari}, {0x0971, 0x097F, Script::Devanagari},
    {0x0980, 0x09E3, Script::Bengali},    {0x0A00, 0x0A65, Script::Gurmukhi},
    {0x0A70, 0x0A7F, Script::Gurmukhi},   {0x0A80, 0x0AE3, Script::Gujarati},
    {0x0B00, 0x0B63, Script::Oriya},      {0x0B80, 0x0BE3, Script::Tamil},
    {0x0C00, 0x0C63, Script::Telugu},     {0x0C80, 0x0CE3, Script::Kannada},
    {0x0D00, 0x0D63, Script::Malayalam},  {0x0D80, 0x0DDF, Script::Sinhala},
    {0x0E01, 0x0E4E, Script::Thai},       {0x0E81, 0x0ECD, Script::Lao},
    {0x0F40, 0x0FBC, Script::Tibetan},    {0x1000, 0x103F, Script::Myanmar},
    {0x1050, 0x109F, Script::Myanmar},    {0x10A0, 0x10FF, Script::Georgian},
    {0x1100, 0x11FF, Script::Hangul},     {0x1200, 0x1360, Script::Ethiopic},
    {0x1780, 0x17D3, Script::Khmer},      {0x1C90, 0x1CBF, Script::Georgian},
    {0x1E00, 0x1EFF, Script::Latin},      {0x1F00, 0x1FFF, Script::Greek},
    {0x3041, 0x309F, Script::Kana},       {0x30A1, 0x30FF, Script::Kana},
    {0x3130, 0x318F, Script::Hangul},     {0x3400, 0x4DBF, Script::Han},
    {0x4E00, 0x9FFF, Script::Han},        {0xAC00, 0xD7AF, Script::Hangul},
    {0xF900, 0xFAFF, Script::Han},        {0xFB50, 0xFDFB, Script::Arabic},
    {0xFE70, 0xFEFC, Script::Arabic},     {0xFF66, 0xFF9D, Script::Kana},
    {0x20000, 0x3FFFF, Script::Han},
};

bool is_combining(char32_t c) {
  return (c >= 0x0300 && c <= 0x036F) || (c >= 0x064B && c <= 0x065F) || c == 0x0670;
}

bool is_space(char32_t c) {
  return c <= U' ' || c == 0x00A0 || (c >= 0x2000 && c <= 0x200B) || c == 0x3000;
}

// Lower case for the scripts that have letter groups in the table.
char32_t lower(char32_t c) {
  if (c < 0x80) return c >= U'A' && c <= U'Z' ? c + 32 : c;
  if (c >= 0x00C0 && c <= 0x00DE && c != 0x00D7) return c + 32;
  if (c == 0x0130) return U'i';
  if (c == 0x0178) return 0x00FF;
  if ((c >= 0x0139 && c <= 0x0148) || (c >= 0x0179 && c <= 0x017E)) return c + (c & 1U);
  if (c >= 0x0100 && c <= 0x0177 && c != 0x0131 && c != 0x0138) return c | 1U;
  if (c == 0x01A0 || c == 0x01AF) return c + 1;
  if (c == 0x0218 || c == 0x021A) return c + 1;
  if (c >= 0x0400 && c <= 0x040F) return c + 80;
  if (c >= 0x0410 && c <= 0x042F) return c + 32;
  if (c >= 0x0460 && c <= 0x04FF && c != 0x0482)
    return c >= 0x04C1 && c <= 0x04CE ? c + (c & 1U) : c | 1U;
  if (c >= 0x1E00 && c <= 0x1EFF) return c | 1U;
  return c;
}

// Reads one code point at `at` and moves past it; 0 for bytes that are not UTF-8.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return static_cast<unsigned char>(text[at++]);
  const CodePoint point = decode_utf8(text, at);
  at += point.bytes;
  return point.is_valid ? point.value : 0;
}

// `text` from `at` on, at most `bytes` long, cut at a space where there is one and never inside a
// letter.
std::string_view slice(std::string_view text, std::size_t at, std::size_t bytes) {
  std::string_view part = text.substr(at, bytes);
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; };
  while (!part.empty() && is_inside(part.front())) part.remove_prefix(1);
  if (at > 0) {
    const std::size_t space = part.substr(0, 64).find(' ');
    if (space != std::string_view::npos) part.remove_prefix(space);
  }
  if (at + bytes >= text.size()) return part;
  const std::size_t space = part.rfind(' ');
  if (space != std::string_view::npos && space + 64 > part.size()) return part.substr(0, space);
  std::size_t end = part.size();
  while (end > 0 && is_inside(part[end - 1])) --end;
  return part.substr(0, end == 0 ? 0 : end - 1);
}

// Identifiers, addresses, times: they look the same in every language.
bool is_code_like(std::string_view token) {
  bool has_sign = false;
  for (const char c : token) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
    has_sign = has_sign || (c >= '0' && c <= '9') || c == '_' || c == '@' || c == '\\' || c == '=' ||
               c == '{' || c == '<';
  }
  return has_sign || token.find("://") != std::string_view::npos;
}

}  // namespace

Script script_of(char32_t letter) {
  if (letter < 0x80)
    return (letter | 32U) >= U'a' && (letter | 32U) <= U'z' ? Script::Latin : Script::None;
  const Range* range = std::lower_bound(std::begin(kRanges), std::end(kRanges), letter,
                                        [](const Range& r, char32_t c) { return r.last < c; });
  return range != std::end(kRanges) && range->first <= letter ? range->script : Script::None;
}

Reading::Reading(std::string_view utf8) {
  letters_[size_++] = 0;
  if (utf8.size() <= kHeadBytes + kMiddleBytes) {
    read(utf8);
  } else {
    read(slice(utf8, 0, kHeadBytes));
    read(slice(utf8, std::max(kHeadBytes, utf8.size() / 2), kMiddleBytes));
  }
  std::size_t total = 0;
  for (std::size_t i = 1; i < kScripts; ++i) {
    total += weights_[i];
    if (weights_[i] > weights_[static_cast<std::size_t>(script_)]) script_ = static_cast<Script>(i);
  }
  if (total == 0) return;
  share_ = static_cast<float>(weight_of(script_)) / static_cast<float>(total);
  if (share_ < 1.0F) keep_main_script();
}

void Reading::read(std::string_view utf8) {
  std::size_t start = 0;
  std::size_t at = 0;
  while (at < utf8.size()) {
    const std::size_t before = at;
    if (!is_space(next_code_point(utf8, at))) continue;
    read_token(utf8.substr(start, before - start));
    start = at;
  }
  read_token(utf8.substr(start));
}

void Reading::read_token(std::string_view token) {
  if (token.empty() || is_code_like(token)) return;
  Script previous = Script::None;
  for (std::size_t at = 0; at < token.size();) {
    const char32_t c = next_code_point(token, at);
    if (is_combining(c)) continue;
    const Script script = script_of(c);
    if (script != previous && letters_[size_ - 1] != 0 && size_ < kMaxLetters) letters_[size_++] = 0;
    previous = script;
    if (script == Script::None || size_ + 2 > kMaxLetters) continue;
    letters_[size_++] = lower(c);
    const bool is_sign = script == Script::Han || script == Script::Kana;
    weights_[static_cast<std::size_t>(script)] += is_sign ? 5 : script == Script::Latin ? 1 : 2;
  }
  if (letters_[size_ - 1] != 0 && size_ < kMaxLetters) letters_[size_++] = 0;
}

void Reading::keep_main_script() {
  std::size_t kept = 1;
  bool keeps = false;
  for (std::size_t i = 1; i < size_; ++i) {
    if (letters_[i - 1] == 0) keeps = script_of(letters_[i]) == script_;
    if (keeps) letters_[kept++] = letters_[i];
  }
  size_ = kept;
}

}  // namespace signalbox::language

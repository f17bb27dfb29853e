#include "normalize/fold.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>

#include "base/utf8.h"

namespace signalbox {
namespace {

constexpr std::size_t kPageSize = 256;
constexpr std::size_t kPages = 256;  // the basic plane; the others have no case we match on

// Up to seven bytes of UTF-8; longer foldings (rare ligatures) keep the character as it is.
struct Folded {
  std::uint8_t size = 0;
  char bytes[7] = {};
};
using Page = std::array<Folded, kPageSize>;

bool is_combining_accent(UChar32 c) {
  return c >= 0x0300 && c <= 0x036F;
}

// Typographic quotes as people type them; other characters as they are.
UChar32 plain_quote(UChar32 c) {
  if (c == 0x2018 || c == 0x2019 || c == 0x02BC) return '\'';
  return c == 0x201C || c == 0x201D ? '"' : c;
}

std::string fold_with_icu(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* casefold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  const auto* decompose = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status)) return {};
  icu::UnicodeString folded;
  casefold->normalize(icu::UnicodeString(static_cast<UChar32>(c)), folded, status);
  icu::UnicodeString parts;
  decompose->normalize(folded, parts, status);
  // Only accents are dropped: a Hangul syllable or an Indic vowel sign is part of its word.
  icu::UnicodeString plain;
  bool is_changed = false;
  for (int i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
    const UChar32 part = parts.char32At(i);
    is_changed = is_changed || is_combining_accent(part) || plain_quote(part) != part;
    if (!is_combining_accent(part)) plain.append(plain_quote(part));
  }
  std::string out;
  (is_changed ? plain : folded).toUTF8String(out);
  return out;
}

std::unique_ptr<Page> build_page(std::size_t number) {
  auto page = std::make_unique<Page>();
  for (std::size_t i = 0; i < kPageSize; ++i) {
    const auto c = static_cast<char32_t>(number * kPageSize + i);
    Folded& entry = (*page)[i];
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string folded = fold_with_icu(c);
    if (folded.size() > sizeof entry.bytes) {
      folded.clear();
      append_utf8(folded, c);
    }
    entry.size = static_cast<std::uint8_t>(folded.size());
    std::memcpy(entry.bytes, folded.data(), folded.size());
  }
  return page;
}

// Pages are built when first touched and live as long as the program.
const Page& page_of(std::size_t number) {
  static std::array<std::atomic<const Page*>, kPages> pages{};
  static std::mutex building;
  const Page* page = pages[number].load(std::memory_order_acquire);
  if (page) return *page;
  const std::lock_guard lock(building);
  page = pages[number].load(std::memory_order_acquire);
  if (!page) {
    page = build_page(number).release();
    pages[number].store(page, std::memory_order_release);
  }
  return *page;
}

char fold_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

std::string_view fold(char32_t c, char (&buffer)[8]) {
  if (c < 0x80) {
    buffer[0] = fold_ascii(static_cast<char>(c));
    return {buffer, 1};
  }
  if (c >= kPages * kPageSize) {
    std::string bytes;
    append_utf8(bytes, c);
    std::memcpy(buffer, bytes.data(), bytes.size());
    return {buffer, bytes.size()};
  }
  const Folded& entry = page_of(c / kPageSize)[c % kPageSize];
  std::memcpy(buffer, entry.bytes, sizeof entry.bytes);
  return {buffer, entry.size};
}

std::string fold(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char buffer[8];
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (point.value < 0x80)
      out += fold_ascii(text[at]);
    else
      out += fold(point.value, buffer);
    at += point.bytes;
  }
  return out;
}

}  // namespace signalbox

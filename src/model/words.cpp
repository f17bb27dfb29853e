#include "model/words.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <utility>

namespace signalbox {
namespace {

constexpr std::size_t kLongestText = 0x3fffffff;  // offsets and ICU lengths stay within 31 bits
constexpr std::size_t kKeptCapacity = 1 << 16;

enum class Class : std::uint8_t { Space, Letter, Digit, Unspaced, Other };  // Digit: marks and numbers

constexpr bool joins_run(Class c) {
  return c == Class::Letter || c == Class::Digit;
}

constexpr std::array<Class, 128> kAsciiClass = [] {
  std::array<Class, 128> table{};
  for (std::size_t c = 0; c < 128; ++c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_digit = c >= '0' && c <= '9';
    table[c] = c <= ' ' || c == 0x7f ? Class::Space
               : is_letter           ? Class::Letter
               : is_digit            ? Class::Digit
                                     : Class::Other;
  }
  return table;
}();

constexpr bool is_unspaced(UChar32 c) {
  if (c < 0x0e00) return false;
  return c <= 0x0eff || (c >= 0x1000 && c <= 0x109f) || (c >= 0x1780 && c <= 0x17ff) ||
         (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x2fa1f);
}

Class classify(UChar32 c) {
  if (c < 128) return kAsciiClass[static_cast<std::size_t>(c)];
  if (is_unspaced(c)) return Class::Unspaced;
  const std::uint32_t mask = U_GET_GC_MASK(c);
  if (mask & U_GC_L_MASK) return Class::Letter;
  if (mask & (U_GC_M_MASK | U_GC_N_MASK)) return Class::Digit;
  if (mask & (U_GC_Z_MASK | U_GC_CC_MASK)) return Class::Space;
  return Class::Other;
}

// Takes one folded code point after the other, with the class of its right neighbour.
class WordBuilder {
 public:
  explicit WordBuilder(Words& words) : words_(words) {
    words_.text.clear();
    words_.list.clear();
  }

  void add(Class current, Class next, bool is_apostrophe, std::uint32_t begin, std::uint32_t size,
           std::uint32_t next_size) {
    const bool is_inner_apostrophe =
        is_apostrophe && in_run_ && previous_ == Class::Letter && next == Class::Letter;
    if (joins_run(current) || is_inner_apostrophe) {
      if (!in_run_) words_.list.push_back({begin, 0, 0, WordKind::Run});
      words_.list.back().size += size;
      in_run_ = true;
    } else {
      in_run_ = false;
      if (current == Class::Unspaced) {
        const bool has_pair = next == Class::Unspaced;
        words_.list.push_back({begin, size, has_pair ? size + next_size : 0, WordKind::Unspaced});
      } else if (current == Class::Other) {
        words_.list.push_back({begin, size, 0, WordKind::Symbol});
      }
    }
    previous_ = current;
  }

 private:
  Words& words_;
  Class previous_ = Class::Space;
  bool in_run_ = false;
};

// Folds while it copies; stops at the first byte that is not ASCII and says so.
bool split_ascii(std::string_view text, Words& words) {
  WordBuilder builder(words);
  words.text.resize(text.size());
  unsigned any = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    any |= c;
    words.text[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  }
  if (any >= 128) return false;
  const auto class_at = [&](std::size_t i) { return kAsciiClass[static_cast<unsigned char>(text[i])]; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Class next = i + 1 < text.size() ? class_at(i + 1) : Class::Space;
    builder.add(class_at(i), next, text[i] == '\'', static_cast<std::uint32_t>(i), 1, 1);
  }
  return true;
}

// NFKC and lower case of `text`, left in words.folded; returns its length.
std::size_t fold(std::string_view text, Words& words) {
  const auto grow = [](std::vector<char16_t>& buffer, std::size_t size) {
    if (buffer.size() < size) buffer.resize(size);
    return static_cast<std::int32_t>(buffer.size());
  };
  UErrorCode status = U_ZERO_ERROR;
  std::int32_t length = 0;
  std::int32_t room = grow(words.source, text.size() + 1);
  u_strFromUTF8WithSub(words.source.data(), room, &length, text.data(),
                       static_cast<std::int32_t>(text.size()), 0xfffd, nullptr, &status);
  const UNormalizer2* nfkc = unorm2_getNFKCInstance(&status);
  // Each step that runs out of room says how much it needs and is run again.
  const auto run = [&](auto step) {
    room = grow(words.folded, static_cast<std::size_t>(length) + length / 2 + 16);
    std::int32_t needed = step();
    if (status == U_BUFFER_OVERFLOW_ERROR) {
      status = U_ZERO_ERROR;
      room = grow(words.folded, static_cast<std::size_t>(needed) + 1);
      needed = step();
    }
    length = U_SUCCESS(status) ? needed : 0;
  };
  run([&] {
    return unorm2_normalize(nfkc, words.source.data(), length, words.folded.data(), room, &status);
  });
  std::swap(words.source, words.folded);
  run([&] {
    return u_strToLower(words.folded.data(), room, words.source.data(), length, "", &status);
  });
  return static_cast<std::size_t>(length);
}

}  // namespace

void Words::trim() {
  if (text.capacity() <= kKeptCapacity) return;
  Words empty;
  std::swap(*this, empty);
}

void split_words_with_icu(std::string_view text, Words& words) {
  text = text.substr(0, kLongestText);
  const std::size_t length = fold(text, words);
  WordBuilder builder(words);
  words.text.resize(length * 3);  // the most UTF-8 needs for a UTF-16 unit
  auto* bytes = reinterpret_cast<std::uint8_t*>(words.text.data());
  const char16_t* units = words.folded.data();

  struct Point {
    Class kind = Class::Space;
    bool is_apostrophe = false;
    std::uint32_t begin = 0, size = 0;
  };
  std::size_t read = 0;
  std::uint32_t written = 0;
  const auto next_point = [&] {
    Point point;
    point.begin = written;
    if (read >= length) return point;
    UChar32 c = 0;
    U16_NEXT(units, read, length, c);
    if (c == 0x2019) c = '\'';
    if (U_IS_SURROGATE(c)) c = 0xfffd;
    point.kind = classify(c);
    point.is_apostrophe = c == '\'';
    U8_APPEND_UNSAFE(bytes, written, c);
    point.size = written - point.begin;
    return point;
  };
  Point current = next_point();
  while (current.size != 0) {
    const Point next = next_point();
    builder.add(current.kind, next.kind, current.is_apostrophe, current.begin, current.size, next.size);
    current = next;
  }
  words.text.resize(written);
}

void split_words(std::string_view text, Words& words) {
  text = text.substr(0, kLongestText);
  if (!split_ascii(text, words)) split_words_with_icu(text, words);
}

}  // namespace signalbox

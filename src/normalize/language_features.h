// What tells one language from another in a short text: its script, its words and their letter groups.
//
// Training reads its features through these very functions, so the table and the program cannot drift
// apart. No allocation; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace signalbox::language {

enum class Script : std::uint8_t {
  None,  // digits, punctuation, symbols, bytes that are not UTF-8
  Latin,
  Cyrillic,
  Arabic,
  Devanagari,  // several languages each: letter groups decide
  Han,
  Kana,
  Hangul,
  Greek,
  Armenian,
  Hebrew,
  Ethiopic,
  Bengali,
  Gurmukhi,
  Gujarati,
  Oriya,
  Tamil,
  Telugu,
  Kannada,
  Malayalam,
  Sinhala,
  Thai,
  Lao,
  Tibetan,
  Myanmar,
  Georgian,
  Khmer,  // one language each
};
inline constexpr std::size_t kScripts = static_cast<std::size_t>(Script::Khmer) + 1;

Script script_of(char32_t letter);

// Rows of the weight table; a feature is a row number.
inline constexpr std::uint32_t kRows = 8192;

// A text read once: the words of its main script in lower case and without combining marks, each
// between two zeros. Of a long text only the first 512 bytes and 256 from its middle are read. Words of
// ASCII letters that touch digits or signs (identifiers, addresses, times) are left out.
class Reading {
 public:
  explicit Reading(std::string_view utf8);

  // The script most of the text is in. A Han or kana sign counts as a word, other letters by number,
  // letters beyond Latin double: brand names in Latin letters stand in every language.
  Script script() const { return script_; }
  // Share of the text's weight that is in script(), 0 to 1.
  float share() const { return share_; }
  std::size_t weight_of(Script script) const { return weights_[static_cast<std::size_t>(script)]; }

  // Calls `use(row)` for every word and every group of 2 to 4 letters of the words in script().
  template <typename Use>
  void for_each_feature(Use use) const;

 private:
  static constexpr std::size_t kMaxLetters = 1024;

  void read(std::string_view utf8);
  void read_token(std::string_view token);
  void keep_main_script();

  char32_t letters_[kMaxLetters];
  std::size_t size_ = 0;
  std::size_t weights_[kScripts] = {};
  Script script_ = Script::None;
  float share_ = 0.0F;
};

// Spreads a hash over the rows.
inline std::uint32_t row_of(std::uint32_t hash) {
  hash ^= hash >> 15U;
  hash *= 0x2c1b3c6dU;
  hash ^= hash >> 12U;
  return static_cast<std::uint32_t>((std::uint64_t{hash} * kRows) >> 32U);
}

template <typename Use>
void Reading::for_each_feature(Use use) const {
  constexpr std::uint32_t kPrime = 0x01000193U;
  constexpr std::uint32_t kWordSeed = 0x811c9dc5U;
  for (std::size_t at = 0; at + 1 < size_; ++at) {
    const bool starts_word = letters_[at] == 0;
    std::uint32_t hash = 0;
    for (std::size_t length = 1; length <= 4 && at + length <= size_; ++length) {
      const char32_t letter = letters_[at + length - 1];
      hash = (hash ^ letter) * kPrime + static_cast<std::uint32_t>(length);
      if (length > 1) use(row_of(hash));
      if (letter == 0 && length > 1) break;
    }
    if (!starts_word) continue;
    std::uint32_t word = kWordSeed;
    for (std::size_t i = at + 1; letters_[i] != 0; ++i) word = (word ^ letters_[i]) * kPrime;
    use(row_of(word));
  }
}

}  // namespace signalbox::language

// Splits text into the words the encoder reads: runs of letters and digits, single symbols, and
// single characters of scripts written without spaces.
//
// The text is folded first (NFKC, lower case, ’ as '). ASCII text never touches ICU; the result is the
// same either way. Costs time linear in the text and, once `Words` has grown, no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

enum class WordKind : std::uint8_t {
  Run,       // letters, marks and digits, with apostrophes between letters
  Unspaced,  // one character of Han, Kana, Thai, Lao, Khmer or Myanmar
  Symbol,    // punctuation, emoji: one code point
};

// A piece of Words::text.
struct Word {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;       // bytes
  std::uint32_t pair_size = 0;  // bytes of an Unspaced character and its Unspaced right neighbour, or 0
  WordKind kind = WordKind::Run;
};

// Reused from call to call, so that a warm thread splits without allocating. Not thread-safe.
struct Words {
  std::string text;  // folded UTF-8
  std::vector<Word> list;

  std::string_view view(const Word& word) const { return {text.data() + word.begin, word.size}; }
  std::string_view pair(const Word& word) const { return {text.data() + word.begin, word.pair_size}; }
  // Gives back what one very long text made it grow to.
  void trim();

  std::vector<char16_t> source, folded;  // ICU's buffers; of no meaning between calls
};

// Bad UTF-8 is read as replacement characters. Text beyond 2^31 bytes is not read.
void split_words(std::string_view text, Words& words);

// The same by way of ICU whatever the text: what the ASCII path is tested against.
void split_words_with_icu(std::string_view text, Words& words);

}  // namespace signalbox

// The words of a folded text, as the matcher sees them.
//
// A run of letters, digits, marks and underscores is a word; an apostrophe between letters and a
// point or comma between digits stay inside. A character of a script written without spaces is a
// word of its own. The signs % $ @ # and the currency signs are words; other punctuation is not,
// but the end of a sentence is remembered so that no phrase reaches across it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace signalbox {

struct Token {
  std::uint32_t begin = 0;  // bytes in the folded text
  std::uint32_t end = 0;
  std::uint64_t hash = 0;
  bool is_number = false;
  bool is_unspaced = false;      // a character of a script without spaces
  bool starts_sentence = false;  // a sentence ended just before
};

// Appends to `out` after clearing it; linear in the text.
void tokenize(std::string_view folded, std::vector<Token>& out);

bool is_unspaced_script(char32_t c);

}  // namespace signalbox

// Code points and their classes, as tokenizers of the Hugging Face format define them.
//
// Tokenizers work on code points rather than bytes: every step of theirs asks for a class or a normal
// form. Pure functions; ICU stays behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::tokenizer {

// Bad bytes become U+FFFD, one each.
std::u32string to_code_points(std::string_view utf8);
std::string to_utf8(std::u32string_view text);

bool is_whitespace(char32_t c);
bool is_word_character(char32_t c);  // \w of a regular expression
bool is_punctuation(char32_t c);     // every ASCII sign, and what Unicode calls punctuation
bool is_control(char32_t c);         // control, format, private use; not tab and line ends
bool is_nonspacing_mark(char32_t c);
bool is_mark(char32_t c);
bool is_chinese(char32_t c);  // BERT's idea of it: ideographs, no kana, no hangul

enum class NormalForm : std::uint8_t { Nfc, Nfd, Nfkc, Nfkd };
std::u32string normal_form(NormalForm form, std::u32string_view text);

// Letter by letter, without looking at neighbours.
std::u32string lower_case(std::u32string_view text);

// Where the extended grapheme clusters of `text` end, in code points; the last end is its size.
std::vector<std::size_t> grapheme_ends(std::u32string_view text);

}  // namespace signalbox::tokenizer

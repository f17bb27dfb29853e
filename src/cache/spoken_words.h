// The words of a message as the cache compares them: folded for looking up, written for telling apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "normalize/text.h"

namespace signalbox {

struct SpokenWord {
  std::string folded;
  std::string written;  // in lower case, accents kept
  bool is_number = false;
  bool is_capital = false;  // begins with a capital that is not the sentence's
  bool is_all_caps = false;
  bool is_quote = false;
};

// A quotation is one word. Linear in the text.
std::vector<SpokenWord> spoken_words(const Text& text, std::string_view language);

// "orders" and "order" are one thing in every language here that writes plurals with s.
std::string singular(const std::string& word, std::string_view language);

// Signs that change a meaning and are no words: < > + = and a minus before a number.
std::string signs_of(std::string_view text);

}  // namespace signalbox

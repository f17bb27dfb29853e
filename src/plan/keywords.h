// What to look for literally: quoted terms, names of things and content words, in the words of the
// question and its language. Whole sentences in a literal search find nothing.
//
// Linear in the text; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/lexicon.h"

namespace signalbox::planning {

struct Keyword {
  std::string text;
  std::size_t begin = 0;  // bytes of the question it was taken from
  std::size_t end = 0;
  bool is_symbol = false;  // a quoted term, identifier, file name or error code
};

// In order of appearance, once each (case apart).
std::vector<Keyword> extract_keywords(std::string_view text, const Lexicon& lexicon);

// The same as one string to search with.
std::string join_keywords(const std::vector<Keyword>& keywords);
std::string search_keywords(std::string_view text, const Lexicon& lexicon);

}  // namespace signalbox::planning

// Finds lines by words or by a regular expression, with context, neighbouring matches merged.
//
// Works on the text the index keeps, so that PDF and DOCX are found too. Regular expressions run in
// linear time (RE2), whatever they look like.
#pragma once

#include "retrieve/index.h"

namespace signalbox {

struct GrepOptions {
  bool is_regex = false;
  int context = 2;  // lines before and after a match
  std::size_t top = 10;
};

// A hit is a range of lines of one file. By words: a line matches when it holds one of them, whole,
// whatever its case and accents; ranges with more of them, and rarer ones, come first. By regex: in the
// order of files, ranges with more matching lines first. InvalidInput: a bad pattern, or no word at
// all.
Result<std::vector<Hit>> grep(const Index& index, std::string_view pattern, const GrepOptions& options);

}  // namespace signalbox

// The little language in which profiles write phrases.
//
//   what (is|are) left      alternatives; an empty one makes a part optional: (the|) list
//   split ... bill          a gap of at most four words (twelve characters where words are not spaced)
//   last # days             any number
//   cancel*                 a word that begins so
//
// Everything is folded, so case and accents never matter.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

struct PhrasePart {
  enum class Kind { Word, Prefix, Number, Gap };
  Kind kind = Kind::Word;
  std::string text;  // folded; empty for Number and Gap
  bool operator==(const PhrasePart&) const = default;
};

using PhraseParts = std::vector<PhrasePart>;

// Calls `take` with every reading of a phrase, alternatives multiplied out; the parts live as long as
// the call. InvalidInput: unbalanced parentheses,
// nothing to match, a gap at either end, or more than 4096 readings.
Result<void> each_reading(std::string_view phrase, const std::function<void(const PhraseParts&)>& take);

// The same as a list.
Result<std::vector<PhraseParts>> parse_phrase(std::string_view phrase);

}  // namespace signalbox

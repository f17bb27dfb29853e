// The little language in which profiles write phrases.
//
//   what (is|are) left      alternatives; an empty one makes a part optional: (the|) list
//   split ... bill          a gap of at most four words (twelve characters where words are not spaced)
//   last # days             any number
//   cancel*                 a word that begins so
//
// Everything is folded, so case and accents never matter.
#pragma once

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

// Hears all readings of a phrase as one walk: readings that begin alike share their beginning.
class PhraseVisitor {
 public:
  virtual ~PhraseVisitor() = default;
  virtual void enter(const PhrasePart& part) = 0;
  virtual void leave() = 0;
  virtual void reading_ends() = 0;
};

// InvalidInput: unbalanced parentheses, nothing to match, a gap at either end, or more than 4096
// readings. Nothing is visited then.
Result<void> visit_phrase(std::string_view phrase, PhraseVisitor& visitor);

// The readings as a list.
Result<std::vector<PhraseParts>> parse_phrase(std::string_view phrase);

}  // namespace signalbox

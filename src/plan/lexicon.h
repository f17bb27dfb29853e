// The word lists that planning works with, compiled once for a profile.
//
// Which words compare, join or link belongs to a language, so it is data; what is done with them
// stands in decompose.cpp. Immutable after create(), thread-safe.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fastpath/phrase_matcher.h"
#include "plan/plan.h"

namespace signalbox::planning {

// In the order of plan_list_names(). A and B are what is compared, X and Y what is linked.
enum class List : std::size_t {
  Compare,     // before them: "compare A and B"
  Between,     // before them, with its noun: "difference between A and B"
  Versus,      // in the middle: "A vs B", "A differs from B"
  Against,     // the middle of Compare only: "compare A with B"
  Join,        // "and", 和
  Differ,      // after them: "how do A and B differ", A和B的区别
  Aspect,      // begins what holds for all: "… in terms of cost"
  Of,          // ends what holds for all: "the cost of A and B"
  Possessive,  // begins it behind the last: A和B的架构
  Act,         // verbs that begin it: "compare how A and B handle errors"
  Question,    // begins a question: "what", "how"
  Command,     // begins a request: "list", "explain"
  Also,        // leads from one question to the next: "and then", 另外
  Define,      // asks for each of several things: "what are A, B and C"
  Listing,     // asks for nothing but the things themselves: "list", "what are"
  Both,        // stands for A and B in a later question
  Pronoun,     // stands for the subject of an earlier question
  Determiner,  // begins a noun: "the"
  Relative,    // "the X that …"
  Link,        // verbs of a link: "depends on"
  Linked,      // both in one: "the X used by Y"
  LinkedOf,    // the same before its noun: Y依赖的X
  Filler,      // courtesy before a question
  Stop,        // never a keyword; single words
  Count,
};

class Lexicon {
 public:
  static Result<Lexicon> create(const PlanLists& lists);

  const PhraseMatcher& phrases() const { return matcher_; }  // list i is List i; Stop is not in it
  bool is_stop_word(std::string_view word) const;            // `word` as written
  bool joins_names(std::string_view word) const;             // a word of Join, Versus or Against

 private:
  PhraseMatcher matcher_;
  std::unordered_set<std::string> stop_words_;
  std::unordered_set<std::string> joining_words_;
};

}  // namespace signalbox::planning

// One atom of a condition, read from its text: `not words.greeting`, `length<=3`.
#pragma once

#include <string>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

struct Atom {
  enum class Kind {
    Words,
    Starts,
    Ends,
    Only,
    Pattern,
    Signal,
    Evidence,  // present
    Absent,
    Unknown,
    Route,
    Tier,
    DecidedBy,
    AppActive,
    App,
    AppTakesMentions,
    TriggerAny,
    TriggerSaid,
    Trigger,
    Attachment,
    History,
    Awaiting,
    Declared,
    QuestionMark,
    Empty,
    Language,
    Compare,
  };
  enum class Operator { Less, LessOrEqual, Equal, NotEqual, GreaterOrEqual, Greater };

  Kind kind = Kind::Empty;
  std::string name;  // what stands after the point; for Compare the quantity
  Operator op = Operator::GreaterOrEqual;
  double value = 0;
  bool is_negated = false;
};

// InvalidInput says what was expected.
Result<Atom> parse_atom(std::string_view text);

}  // namespace signalbox

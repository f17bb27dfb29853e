// Whether a value comes from the conversation: a model's arguments may not be invented.
//
// A text is grounded when each of its words was said, a number when it was said in figures or words, a
// date when a day that was said is that day. A default, an option of an enum and a flag always are.
#pragma once

#include <boost/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "call/slot_words.h"

namespace signalbox {

struct CallQuestion;

class Grounding {
 public:
  Grounding(const CallQuestion& question, const SlotWords& words, WallTime now);

  // Of a list or an object: all that is in it.
  bool holds(const boost::json::value& value, const boost::json::object& schema) const;

 private:
  bool holds_text(std::string_view text) const;

  std::set<std::uint64_t> terms_;
  std::set<std::string> values_;  // numbers and dates as they are read
};

}  // namespace signalbox

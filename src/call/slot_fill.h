// Fills a function's parameters from a message, without an LLM.
//
// A value comes from the message, from what the function's own pattern caught, or from a default;
// never from anywhere else. Which value fills which parameter is a matter of kind (a date for a date),
// of the words beside it ("with ID 61") and, last, of being the only one left. Pure; thread-safe.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "call/function.h"
#include "call/slot_words.h"

namespace signalbox {

struct FilledSlots {
  boost::json::object arguments;     // fit their schemas
  std::vector<std::string> missing;  // required, and not said
};

// A parameter whose schema says `x-value: message` takes the whole message.
FilledSlots fill_slots(const Function& function, std::string_view text, const SlotWords& words,
                       WallTime now);

}  // namespace signalbox

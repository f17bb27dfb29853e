// An answer to "which value?", and what a pattern caught: a whole text read as one parameter's value.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "call/slot_words.h"

namespace signalbox {

// As that parameter's type. Empty where it cannot be.
std::optional<boost::json::value> read_answer(std::string_view text, const boost::json::object& schema,
                                              const SlotWords& words, WallTime now);

}  // namespace signalbox

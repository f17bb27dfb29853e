// A message that asks for several things, cut where the next one begins: at "and", "then", a comma or a
// semicolon outside quotes.
//
// Pure; thread-safe.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "call/slot_words.h"

namespace signalbox {

// `begins` says whether a text could be asked for by itself; a piece that could not belongs to the one
// before. One part where there is nothing to cut.
std::vector<std::string> message_parts(std::string_view text, const SlotWords& words,
                                       const std::function<bool(const std::string&)>& begins);

}  // namespace signalbox

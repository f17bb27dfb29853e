// The two parts of a message with two intents, cut where a rule saw the second begin: at a phrase of a
// word list of the rule's condition, after the words of the profile's list `joint`.
#pragma once

#include <string>
#include <vector>

#include "pipeline/turn.h"

namespace signalbox {

// Empty where the rule's phrases do not tell where to cut.
std::vector<std::string> intent_parts(const Turn& turn, const Rule& rule);

}  // namespace signalbox

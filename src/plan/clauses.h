// Several questions in one message, told apart.
#pragma once

#include <vector>

#include "plan/reading.h"

namespace signalbox::planning {

// The ranges of the questions, without the words that lead from one to the next. One range, the
// whole text, when it asks one thing or nothing.
std::vector<Range> split_questions(const Reading& reading);

}  // namespace signalbox::planning

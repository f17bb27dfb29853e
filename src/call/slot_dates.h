// Days as people say them: 2026-03-01, March 1st, 1 de marzo de 2026, tomorrow, next Friday, in 3 days.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "call/slot_values.h"

namespace signalbox {

struct FoundDay {
  std::size_t first = 0;  // word
  std::size_t count = 0;  // of words
  std::string date;       // ISO
};

// A day that begins with that word. A month without a day is none. "3/4/2026" is month first, unless it
// cannot be.
std::optional<FoundDay> day_at(const std::vector<SlotWord>& said, std::size_t at,
                               const SlotWords& words, WallTime now);

}  // namespace signalbox

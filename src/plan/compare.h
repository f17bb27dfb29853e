// Comparisons and enumerations: one question for each thing that is compared or listed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/reading.h"

namespace signalbox::planning {

struct SideBySide {
  std::vector<std::string> questions;
  std::string both;  // the members as a later question may speak of them: "A and B"
};

// "compare A and B", "the difference between A and B", "A vs B", "how do A and B differ".
std::optional<SideBySide> read_comparison(const Reading& reading, Range clause);

// "what are A, B and C"; two suffice when both are names (PROJ-1 and PROJ-2).
std::optional<SideBySide> read_enumeration(const Reading& reading, Range clause);

}  // namespace signalbox::planning

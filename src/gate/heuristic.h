// The weighted heuristic that decides when no model does: weights are the profile's, not ours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fastpath/condition.h"

namespace signalbox {

struct HeuristicVerdict {
  std::string route;  // empty when the profile has no heuristic or nothing scored
  double score = 0;   // at most 1
  std::vector<Alternative> others;
  std::vector<std::string> signals;  // of every score that held
};

// `conditions[i]` belongs to `heuristic.scores[i]`. Equal scores: the route that comes first in the
// list wins.
HeuristicVerdict apply_heuristic(const Heuristic& heuristic,
                                 std::span<const CompiledCondition> conditions, const Facts& facts);

}  // namespace signalbox

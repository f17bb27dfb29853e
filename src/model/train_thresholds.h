// Thresholds a route for a wanted precision, and an honest account of what they give.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/gate_model.h"

namespace signalbox {

// One held-out answer.
struct ThresholdRow {
  std::uint32_t got = 0;  // the route answered
  double confidence = 0;  // calibrated; negative: no route was answered
  bool is_right = false;
  std::uint32_t label = 0;  // the route expected; the number of routes: out of scope
  int fold = 0;
};

// A route's threshold is the lowest confidence at or above which its answers were right often enough,
// with two imagined answers of the overall precision added, so that a handful of rows proves little; 1
// where none is high enough. Precision and coverage are measured crosswise: thresholds fitted on the
// even folds are judged on the odd ones, and the other way round.
std::vector<RouteThreshold> fit_thresholds(std::span<const ThresholdRow> rows,
                                           const std::vector<std::string>& routes,
                                           double target_precision);

}  // namespace signalbox

#include "model/out_of_scope.h"

#include <algorithm>

namespace signalbox {

std::array<double, kScopeFeatures> scope_features(const ScopeEvidence& evidence) {
  double top = -10.0;
  double second = -10.0;
  double positive = 0;  // how much all routes together claim
  for (const float score : evidence.route_scores) {
    const double s = score;
    if (s > top) {
      second = top;
      top = s;
    } else if (s > second) {
      second = s;
    }
    positive += std::max(s + 1.0, 0.0);
  }
  const double gap = std::min(top - second, 3.0);
  return {top,
          gap,
          evidence.out_of_scope_score,
          evidence.cosine,
          evidence.coverage,
          std::min(positive, 6.0)};
}

LogisticModel default_scope_model() {
  return {.bias = 0.0, .weights = {-2.5, -1.0, 2.5, -1.0, -1.0, 0.0}};
}

}  // namespace signalbox

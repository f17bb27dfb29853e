// Tells whether a message belongs to none of the routes.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "model/calibration.h"

namespace signalbox {

// What speaks for and against: never one score alone.
struct ScopeEvidence {
  std::span<const float> route_scores;  // at least one
  float out_of_scope_score = 0;         // of the extra class; 0 where there is none
  float cosine = 0;                     // to the nearest route's centre
  float coverage = 0;                   // share of n-grams seen in training
};

inline constexpr std::size_t kScopeFeatures = 6;
std::array<double, kScopeFeatures> scope_features(const ScopeEvidence& evidence);

// Used as it stands when nothing out of scope is known, and as the prior when little is.
LogisticModel default_scope_model();

}  // namespace signalbox

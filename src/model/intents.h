// Finds where one message may hold several intents.
//
// Separators (conjunctions, punctuation) are data, stored with the model; whether a split is taken is
// decided by a small logistic model over how sure the parts and the whole are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/calibration.h"

namespace signalbox {

// A place to split: the left part ends at `left_end`, the right one begins at `right_begin`.
struct Cut {
  std::size_t left_end = 0;
  std::size_t right_begin = 0;
};

struct IntentSplitter {
  std::vector<std::string> separators;  // lower case; the longest that fits is taken
  LogisticModel accept;                 // over split_features()
  double threshold = 1;                 // a split is taken above it; 1: never
};

inline constexpr std::size_t kMostCuts = 6;

// Separators made of letters match whole words, without regard to ASCII case; others anywhere. At most
// kMostCuts, the strongest first come: longer separators win. Parts without a word make no cut.
std::vector<Cut> find_cuts(std::string_view text, const std::vector<std::string>& separators);

}  // namespace signalbox

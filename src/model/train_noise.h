// Held-out rows as new people would say them.
//
// An encoder may have learned from the very rows a user trains on: then even held-out rows look more
// familiar than tomorrow's messages will, and a calibration on them is too sure. Lightly disturbed
// copies are not in anybody's memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/train_set.h"

namespace signalbox {

// One word in `one_in` left out (at least one of four or more), or, in short text and scripts without
// spaces, one character left out. Deterministic. Never empty unless `text` is.
std::string disturbed(std::string_view text, std::uint64_t seed, std::size_t one_in);

// Adds disturbed copies of the rows to learn from, at most a few thousand: judged by their row's fold.
// Torn ones too where there are thousands of rows: fewer are no public set that an encoder may know,
// and folds of few rows are doubtful enough.
void add_disturbed(TrainSet& set, std::uint64_t seed);

}  // namespace signalbox

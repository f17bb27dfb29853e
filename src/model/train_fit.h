// Turns held-out scores into probabilities: the second half of training.
#pragma once

#include "model/gate_model_parts.h"
#include "model/svm.h"
#include "model/train_set.h"

namespace signalbox {

// Fills everything of `parts` that is fitted on scores: softmax, scope, alone, exit, thresholds and the
// measured figures of the metadata.
void fit_on_held_out(const TrainSet& set, const SvmSolution& solution, const TrainOptions& options,
                     GateParts& parts);

}  // namespace signalbox

// Turns held-out scores into probabilities: the second half of training.
#pragma once

#include "model/gate_model_parts.h"
#include "model/train_judged.h"

namespace signalbox {

// Fills everything of `parts` that is fitted on scores: softmax, scope, alone, exit, thresholds and the
// measured figures of the metadata.
void fit_on_held_out(const TrainSet& set, const Learned& learned, const TrainOptions& options,
                     GateParts& parts);

}  // namespace signalbox

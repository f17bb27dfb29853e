// Decides what ranks the routes beside the head: n-grams learned alone, and the nearest learned rows.
#pragma once

#include "model/gate_model_parts.h"
#include "model/train_judged.h"

namespace signalbox {

// Fills `ngram_weight` and `neighbours` of the parts, and the learned rows' `ranked`; no row hears the
// votes of its own fold. The same bits whatever the number of threads. Without an encoder the head
// ranks alone.
void fit_ranking(const TrainSet& set, int threads, Learned& learned, GateParts& parts);

}  // namespace signalbox

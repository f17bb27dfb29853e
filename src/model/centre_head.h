// The other head: a text belongs to the route whose centre lies nearest. With few rows a route it errs
// elsewhere than the learned one, and the mean of both is better than either.
#pragma once

#include "model/svm.h"
#include "model/train_set.h"

namespace signalbox {

// What the centres' head should count beside one for the learned head: the more, the fewer rows a route
// has. 0 without an encoder.
double centre_weight(const TrainSet& set);

// Replaces the solution, held-out scores too, by its mean with the centres' head, whose scores are
// brought to the same measure: one for a row's own route, minus one for another. Held-out rows are
// judged by centres that their fold is no part of. Nothing changes with a weight of 0. The same bits
// whatever the number of threads; costs routes times dimensions an example.
void average_with_centres(const TrainSet& set, float encoder_scale, double weight, int threads,
                          SvmSolution& solution);

}  // namespace signalbox

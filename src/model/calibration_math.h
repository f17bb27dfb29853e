// Exponential, logarithm and what follows from them, made of IEEE additions and multiplications alone:
// the C library's own differ in the last bit from machine to machine.
#pragma once

#include <span>

namespace signalbox {

// Within 2 units in the last place on [-700, 700]; clamped outside.
double exact_exp(double x);
// For x > 0; within 2 units in the last place. Not positive: -700.
double exact_log(double x);
// 1 / (1 + exp(-x)).
double logistic(double x);
// The reverse: log(p / (1 - p)), for probabilities no nearer to 0 or 1 than a millionth.
double log_odds(double p);
// Replaces scores by softmax(scores); returns log(sum(exp(scores))). Empty gives 0.
double softmax(std::span<double> scores);

}  // namespace signalbox

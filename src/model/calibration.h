// From scores to probabilities, fitted on rows that the scores were not trained on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace signalbox {

// p = logistic(bias + Σ weight · feature). Deterministic: a fixed number of Newton steps in doubles.
struct LogisticModel {
  double bias = 0;
  std::vector<double> weights;

  double score(std::span<const double> features) const;
  double probability(std::span<const double> features) const;
};

struct LogisticRow {
  std::vector<double> features;
  bool is_positive = false;
  double weight = 1;
};

// Minimises the log loss plus ridge · Σ (w - prior.w)²; the bias is held to the prior a hundred times
// more loosely. A prior without weights means zeros. Few rows stay near the prior, many leave it.
LogisticModel fit_logistic(std::span<const LogisticRow> rows, const LogisticModel& prior, double ridge);

// Scores of the routes to probabilities that sum to 1: softmax(slope · score + shift[route]).
struct SoftmaxCalibration {
  double slope = 1;
  std::vector<double> shift;

  void apply(std::span<const float> scores, std::span<double> out) const;
};

struct SoftmaxRow {
  std::span<const float> scores;
  std::uint32_t label = 0;
  double weight = 1;
};

// `prior_slope` counts as much as `prior_rows` rows, in the logarithm of the slope; shifts are shrunk
// to zero unless a route has rows enough to show that its scores lie too high or too low.
SoftmaxCalibration fit_softmax(std::span<const SoftmaxRow> rows, std::size_t routes, double prior_slope,
                               double prior_rows);

// Mean absolute gap between confidence and accuracy over `bins` equal slices of [0, 1], weighted by
// rows.
struct ConfidenceRow {
  double confidence = 0;
  bool is_correct = false;
};
double expected_calibration_error(std::span<const ConfidenceRow> rows, std::size_t bins = 15);

}  // namespace signalbox

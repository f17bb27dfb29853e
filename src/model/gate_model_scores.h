// One text as the gatekeeper sees it: scores first, probabilities from them. Shared by the whole
// message and the parts of a split.
#pragma once

#include <string_view>
#include <vector>

#include "model/encoder.h"
#include "model/gate_model_parts.h"

namespace signalbox {

struct GateScores {
  std::vector<float> classes;  // the routes, then out of scope where the head has it
  std::vector<float> ngrams;   // the n-grams' part of them
  float coverage = 0;
  float cosine = 0;
  EncodeNote note;

  std::span<const float> routes(const GateParts& parts) const {
    return {classes.data(), parts.routes.size()};
  }
};

// The n-grams' part of the scores alone.
GateScores score_by_ngrams(const GateParts& parts, std::string_view text);
// Adds what the encoder says; without an encoder in the model nothing changes.
void add_encoder(const GateParts& parts, const Encoder* encoder, std::string_view text,
                 GateScores& scores);

// How sure the n-grams alone are of their best route.
double ngram_certainty(const GateParts& parts, const GateScores& scores);
double out_of_scope_probability(const GateParts& parts, const GateScores& scores);
// The best route, and the calibrated probability that it is right.
StretchGuess guess_route(const GateParts& parts, const GateScores& scores);
PartScores part_scores(const GateParts& parts, const GateScores& scores);

}  // namespace signalbox

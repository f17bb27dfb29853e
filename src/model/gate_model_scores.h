// One text as the gatekeeper sees it: scores first, probabilities from them. Shared by the whole
// message and the parts of a split.
#pragma once

#include <functional>
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
// The same by the n-grams alone; `scores` must hold nothing of the encoder's.
StretchGuess guess_by_ngrams(const GateParts& parts, const GateScores& scores);
PartScores part_scores(const GateParts& parts, const GateScores& scores);

// A first look at a message with cuts: features, for parts.splitter.possible, of the parts it would
// have, were it to have several, as the n-grams see them beside `whole`, which holds the encoder's say.
// Empty: the n-grams see one intent only. `scores_of` gives their scores of a stretch.
using NgramScoresOf = std::function<const GateScores&(Stretch)>;
std::vector<double> look_for_split(const GateParts& parts, std::size_t atoms, const GateScores& whole,
                                   const NgramScoresOf& scores_of);
// Whether all stretches are worth asking the encoder about, by what look_for_split() found.
bool is_worth_a_look(const GateParts& parts, const std::vector<double>& look, const GateScores& whole);

}  // namespace signalbox

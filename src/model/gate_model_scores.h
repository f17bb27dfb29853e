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
  std::vector<float> ngrams;   // the same by n-grams learned alone
  std::vector<float> ranked;   // the routes, by all that knows them: the highest is the best
  std::vector<NgramValue> row;
  float coverage = 0;
  float cosine = 0;
  EncodeNote note;

  std::span<const float> routes(const GateParts& parts) const {
    return {classes.data(), parts.routes.size()};
  }
};

// By n-grams alone: `classes`, `ngrams` and `ranked` are the same.
GateScores score_by_ngrams(const GateParts& parts, std::string_view text);
// Turns `classes` into what the whole head says and ranks the routes; without an encoder in the model
// nothing changes.
void add_encoder(const GateParts& parts, const Encoder* encoder, std::string_view text,
                 GateScores& scores);
// The same for several texts in one pass of the encoder; `scores` stand in the texts' order.
void add_encoder(const GateParts& parts, const Encoder* encoder,
                 std::span<const std::string_view> texts, std::span<GateScores* const> scores);

// How sure the n-grams alone are of their best route.
double ngram_certainty(const GateParts& parts, const GateScores& scores);
double out_of_scope_probability(const GateParts& parts, const GateScores& scores);
// The best route, and the calibrated probability that it is right.
StretchGuess guess_route(const GateParts& parts, const GateScores& scores);
// The same by the n-grams alone; `scores` must hold nothing of the encoder's.
StretchGuess guess_by_ngrams(const GateParts& parts, const GateScores& scores);
PartScores part_scores(const GateParts& parts, const GateScores& scores);

// A first look at a message with cuts, by n-grams alone: features, for parts.splitter.possible, of the
// parts it would have, were it to have several. Empty: they see one intent only. `scores_of` gives
// their scores of a stretch; the message is one too.
using NgramScoresOf = std::function<const GateScores&(Stretch)>;
std::vector<double> look_for_split(const GateParts& parts, std::size_t atoms,
                                   const NgramScoresOf& scores_of);
// Whether all stretches are worth asking the encoder about, by what look_for_split() found.
bool is_worth_a_look(const GateParts& parts, const std::vector<double>& look);

}  // namespace signalbox

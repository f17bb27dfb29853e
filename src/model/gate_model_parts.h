// What a trained gatekeeper consists of: written by training, stored by the file, used by predict().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/calibration.h"
#include "model/gate_model.h"
#include "model/head.h"
#include "model/intents.h"
#include "model/neighbours.h"
#include "model/ngram_table.h"

namespace signalbox {

// When the n-grams alone are sure enough, the encoder is spared.
struct EarlyExit {
  bool is_enabled = false;
  LogisticModel sure;       // over exit_features() of the quick head's scores
  double threshold = 1;     // on its probability
  double out_of_scope = 0;  // share of the doubt that belongs to out of scope
};

struct GateParts {
  std::vector<std::string> routes;
  bool has_out_of_scope_class = false;  // the head's last class
  NgramTable ngrams;
  Head head;
  Head quick;  // n-grams learned by themselves, asked before the encoder; no classes: `head` has no
               // other
  float encoder_scale = 2;
  std::vector<float> centres;  // [dense][routes], unit length
  LaneMatrix centre_lanes;     // the same, for the kernels; made by GateModel
  // What ranks the routes beside the head; whether any route is meant is for the head alone to say.
  float ngram_weight = 0;  // of the quick head's scores, against one for the head's
  Neighbours neighbours;
  SoftmaxCalibration softmax;
  LogisticModel trust;  // over trust_features(): that the best route is right, given one is
  LogisticModel scope;  // over scope_features()
  LogisticModel alone;  // a route's score by itself; empty unless rows had several routes
  EarlyExit exit;
  IntentSplitter splitter;
  std::vector<RouteThreshold> thresholds;
  GateMetadata metadata;
};

// The head that n-grams alone are judged by.
const Head& ngram_head(const GateParts& parts);

// `scores`, the head's, become their mean with those of n-grams learned alone.
void rank_routes(std::span<const float> ngram_scores, float ngram_weight, std::span<float> scores);

// Top score, gap to the next, score of out of scope, coverage, what all routes together claim.
std::vector<double> exit_features(std::span<const float> route_scores, float out_of_scope_score,
                                  float coverage);

// Of the best route: its log-odds; whether n-grams learned alone choose it too, and how far they stand
// behind it.
std::vector<double> trust_features(std::span<const float> ngram_scores,
                                   std::span<const double> probabilities);

// Softmax first, then the best route's probability by `trust`, the others in proportion.
void route_probabilities(const GateParts& parts, std::span<const float> ngram_scores,
                         std::span<const float> scores, std::span<double> out);

}  // namespace signalbox

// Trains a gatekeeper from labelled rows: 15,000 rows with 150 labels or a profile's own few examples.
//
// The same rows, options and encoder give the same model, bit for bit, whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/encoder.h"
#include "model/gate_model.h"
#include "model/rows.h"
#include "signalbox/result.h"

namespace signalbox {

struct TrainOptions {
  std::uint64_t seed = 1;
  double target_precision = 0;  // 0: no thresholds are fitted
  int threads = 2;
  double cost = 0.5;  // of an error, against large weights
  float encoder_scale =
      0;  // the encoder's vector beside n-grams of length 1; 0: chosen on held-out rows
  // How much of the traffic is taken to be out of scope: where the user gave rows for it.
  double out_of_scope_share = 0.3;
  // And with generic text alone, divided by the number of routes (between 0.03 and 0.1): the more
  // routes, the less is left outside, and generic text should seldom win against a plausible route.
  double generic_share = 0.7;
  // Text that is nobody's business (models/generic_oos.tsv); rows close to a route are not used.
  std::span<const TrainRow> generic = {};
  // Words and marks between two intents (models/separators.txt).
  std::vector<std::string> separators = {};
};

// Hears the stage ("reading", "encoding", "learning", "calibrating") and the share of it that is done.
using TrainProgress = std::function<void(std::string_view stage, double share)>;

// `valid` rows, where given, calibrate beside the held-out folds; `oos` rows are out of scope, beside
// those of `rows` labelled so. `encoder` may be null: n-grams alone. Fails with InvalidInput when there
// are fewer than two routes, more than 4,096, or a row without text.
Result<GateModel> train_gate(std::span<const TrainRow> rows, std::span<const TrainRow> valid,
                             std::span<const TrainRow> oos, const TrainOptions& options,
                             std::shared_ptr<const Encoder> encoder, const TrainProgress& progress);

}  // namespace signalbox

// The trained gatekeeper: from a message to calibrated routes, out of scope, and several intents.
//
// The same text gives the same bits on every machine. Thread-safe: immutable after construction.
// A message that n-grams are sure of costs about 15 µs for 12 words and 150 routes, another one call of
// the encoder and 60 µs beside it; where several intents are possible, a second pass of the encoder
// over all stretches between separators.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/encoder.h"
#include "signalbox/result.h"

namespace signalbox {

struct GateParts;  // gate_model_parts.h

struct RouteScore {
  std::string route;
  float probability = 0;
};

struct IntentPart {
  std::string route;
  float probability = 0;
  std::string text;
  std::size_t begin = 0;  // span in the text given
  std::size_t end = 0;
};

struct GatePrediction {
  std::vector<RouteScore> scores;   // the best eight, descending; all routes and out_of_scope sum to 1
  float out_of_scope = 0;           // calibrated probability
  std::vector<IntentPart> intents;  // in the order of the text; more than one: several intents
  bool used_encoder = true;         // false: the n-grams were already sure
  EncodeNote note;
};

// How far a route can be trusted: at or above `threshold` the share of right answers was `precision`
// on rows that did not choose the threshold, and `coverage` of the route's rows got there.
struct RouteThreshold {
  std::string route;
  float threshold = 0;
  float precision = 0;
  float coverage = 0;
  std::size_t support = 0;
};

struct GateMetadata {
  std::size_t rows = 0;
  std::size_t out_of_scope_rows = 0;  // the user's own
  std::uint64_t seed = 0;
  std::string data_hash;
  std::string encoder;  // fingerprint; empty: n-grams alone
  // Measured on held-out folds.
  double accuracy = 0;
  double calibration_error = 0;
  double out_of_scope_recall = 0;
  double early_exit_share = 0;
};

class GateModel {
 public:
  explicit GateModel(GateParts parts, std::shared_ptr<const Encoder> encoder);

  // Corrupt when damaged or of another version, InvalidInput when trained on another encoder. A model
  // of n-grams alone takes any encoder, null too.
  static Result<GateModel> load(const std::string& path, std::shared_ptr<const Encoder> encoder);
  static Result<GateModel> parse(std::span<const std::byte> bytes,
                                 std::shared_ptr<const Encoder> encoder);

  // Versioned, checksummed, and written beside the target first: a reader never sees half a model.
  Result<void> save(const std::string& path) const;
  std::vector<std::byte> bytes() const;

  // Text without a word is out of scope with probability 1.
  GatePrediction predict(std::string_view text) const;

  const std::vector<std::string>& routes() const;
  const GateMetadata& metadata() const;
  // One a route when trained with a target precision, else empty.
  std::span<const RouteThreshold> thresholds() const;

 private:
  std::shared_ptr<const GateParts> parts_;
  std::shared_ptr<const Encoder> encoder_;
};

}  // namespace signalbox

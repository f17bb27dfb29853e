#include "model/gate_model_scores.h"

#include <algorithm>

#include "model/out_of_scope.h"

namespace signalbox {

std::vector<double> exit_features(std::span<const float> route_scores, float out_of_scope_score, float coverage) {
  const auto features = scope_features({route_scores, out_of_scope_score, 0, coverage});
  return {features[0], features[1], out_of_scope_score, coverage};
}

GateScores score_by_ngrams(const GateParts& parts, std::string_view text) {
  thread_local NgramRow row;
  parts.ngrams.read(text, row);
  GateScores scores;
  scores.coverage = row.coverage;
  scores.classes.resize(parts.head.classes());
  parts.head.score_ngrams(row.values, scores.classes);
  return scores;
}

void add_encoder(const GateParts& parts, const Encoder* encoder, std::string_view text, GateScores& scores) {
  if (parts.head.dense() == 0 || encoder == nullptr) return;
  thread_local std::vector<float> vector;
  vector.resize(parts.head.dense());
  scores.note = encoder->encode(text, vector);
  std::vector<float> cosines(parts.routes.size());
  parts.centre_lanes.add_products(vector, cosines);
  scores.cosine = *std::max_element(cosines.begin(), cosines.end());
  for (float& v : vector) v *= parts.encoder_scale;
  parts.head.add_dense(vector, scores.classes);
}

double ngram_certainty(const GateParts& parts, const GateScores& scores) {
  const float outside = parts.has_out_of_scope_class ? scores.classes.back() : 0.0F;
  return parts.exit.sure.probability(exit_features(scores.routes(parts), outside, scores.coverage));
}

double out_of_scope_probability(const GateParts& parts, const GateScores& scores) {
  const float outside = parts.has_out_of_scope_class ? scores.classes.back() : 0.0F;
  return parts.scope.probability(scope_features({scores.routes(parts), outside, scores.cosine, scores.coverage}));
}

PartScores part_scores(const GateParts& parts, const GateScores& scores) {
  const auto routes = scores.routes(parts);
  const auto features = scope_features({routes, 0, 0, 0});
  PartScores part;
  part.route = static_cast<std::uint32_t>(std::max_element(routes.begin(), routes.end()) - routes.begin());
  part.top = features[0];
  part.gap = features[1];
  part.outside = out_of_scope_probability(parts, scores);
  return part;
}

}  // namespace signalbox

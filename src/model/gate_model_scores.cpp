#include "model/gate_model_scores.h"

#include <algorithm>

#include "model/calibration_math.h"
#include "model/out_of_scope.h"

namespace signalbox {
namespace {

// From the encoder's vector to the scores of the head and the order of the routes.
void add_vector(const GateParts& parts, std::span<const float> vector, GateScores& scores) {
  std::vector<float> cosines(parts.routes.size());
  parts.centre_lanes.add_products(vector, cosines);
  scores.cosine = *std::max_element(cosines.begin(), cosines.end());
  thread_local std::vector<float> scaled;
  scaled.assign(vector.begin(), vector.end());
  for (float& v : scaled) v *= parts.encoder_scale;
  parts.head.score_ngrams(scores.row, scores.classes);
  parts.head.add_dense(scaled, scores.classes);
  const auto routes = scores.routes(parts);
  scores.ranked.assign(routes.begin(), routes.end());
  rank_routes(scores.ngrams, parts.ngram_weight, scores.ranked);
  parts.neighbours.add_votes(vector, scores.ranked);
}

}  // namespace

const Head& ngram_head(const GateParts& parts) {
  return parts.quick.classes() > 0 ? parts.quick : parts.head;
}

void rank_routes(std::span<const float> ngram_scores, float ngram_weight, std::span<float> scores) {
  for (std::size_t r = 0; r < scores.size(); ++r)
    scores[r] = (scores[r] + ngram_weight * ngram_scores[r]) / (1 + ngram_weight);
}

std::vector<double> exit_features(std::span<const float> route_scores, float out_of_scope_score,
                                  float coverage) {
  const auto features = scope_features({route_scores, out_of_scope_score, 0, coverage});
  return {features[0], features[1], out_of_scope_score, coverage, features[5]};
}

std::vector<double> trust_features(std::span<const float> ngram_scores,
                                   std::span<const double> probabilities) {
  const auto top = static_cast<std::size_t>(
      std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
  double other = -10;
  for (std::size_t r = 0; r < probabilities.size(); ++r) {
    if (r != top) other = std::max(other, static_cast<double>(ngram_scores[r]));
  }
  const double lead = std::clamp(static_cast<double>(ngram_scores[top]) - other, -1.0, 1.0);
  return {log_odds(probabilities[top]), lead > 0 ? 1.0 : 0.0, lead};
}

void route_probabilities(const GateParts& parts, std::span<const float> ngram_scores,
                         std::span<const float> scores, std::span<double> out) {
  parts.softmax.apply(scores, out);
  const auto top = static_cast<std::size_t>(std::max_element(out.begin(), out.end()) - out.begin());
  const double rest = std::max(1.0 - out[top], 1e-12);
  double second = 0;
  for (std::size_t r = 0; r < out.size(); ++r)
    second = r == top ? second : std::max(second, out[r] / rest);
  // Never so low that the runner-up would pass or equal it: the order of the routes stays the
  // softmax's.
  const double lowest = second / (1.0 + second) + 1e-9;
  const double trust = std::max(parts.trust.probability(trust_features(ngram_scores, out)), lowest);
  for (std::size_t r = 0; r < out.size(); ++r) out[r] = out[r] / rest * (1.0 - trust);
  out[top] = trust;
}

GateScores score_by_ngrams(const GateParts& parts, std::string_view text) {
  thread_local NgramRow row;
  parts.ngrams.read(text, row);
  GateScores scores;
  scores.row = row.values;
  scores.coverage = row.coverage;
  scores.ngrams.resize(parts.head.classes());
  ngram_head(parts).score_ngrams(scores.row, scores.ngrams);
  scores.classes = scores.ngrams;
  scores.ranked.assign(scores.ngrams.begin(),
                       scores.ngrams.begin() + static_cast<std::ptrdiff_t>(parts.routes.size()));
  return scores;
}

void add_encoder(const GateParts& parts, const Encoder* encoder, std::string_view text,
                 GateScores& scores) {
  if (parts.head.dense() == 0 || encoder == nullptr) return;
  thread_local std::vector<float> vector;
  vector.resize(parts.head.dense());
  scores.note = encoder->encode(text, vector);
  add_vector(parts, vector, scores);
}

void add_encoder(const GateParts& parts, const Encoder* encoder,
                 std::span<const std::string_view> texts, std::span<GateScores* const> scores) {
  const std::size_t dense = parts.head.dense();
  if (dense == 0 || encoder == nullptr) return;
  std::vector<float> vectors(texts.size() * dense);
  encoder->encode_each(texts, vectors);
  for (std::size_t i = 0; i < texts.size(); ++i)
    add_vector(parts, std::span(vectors).subspan(i * dense, dense), *scores[i]);
}

double ngram_certainty(const GateParts& parts, const GateScores& scores) {
  const float outside = parts.has_out_of_scope_class ? scores.classes.back() : 0.0F;
  return parts.exit.sure.probability(exit_features(scores.routes(parts), outside, scores.coverage));
}

double out_of_scope_probability(const GateParts& parts, const GateScores& scores) {
  const float outside = parts.has_out_of_scope_class ? scores.classes.back() : 0.0F;
  return parts.scope.probability(
      scope_features({scores.routes(parts), outside, scores.cosine, scores.coverage}));
}

StretchGuess guess_route(const GateParts& parts, const GateScores& scores) {
  std::vector<double> probabilities(parts.routes.size());
  route_probabilities(parts, scores.ngrams, scores.ranked, probabilities);
  const auto best = std::max_element(probabilities.begin(), probabilities.end());
  return {static_cast<std::uint32_t>(best - probabilities.begin()),
          *best * (1.0 - out_of_scope_probability(parts, scores))};
}

StretchGuess guess_by_ngrams(const GateParts& parts, const GateScores& scores) {
  const auto routes = scores.routes(parts);
  const auto best = std::max_element(routes.begin(), routes.end()) - routes.begin();
  return {static_cast<std::uint32_t>(best), ngram_certainty(parts, scores)};
}

PartScores part_scores(const GateParts& parts, const GateScores& scores) {
  const auto& ranked = scores.ranked;
  const auto features = scope_features({ranked, 0, 0, 0});
  PartScores part;
  part.route =
      static_cast<std::uint32_t>(std::max_element(ranked.begin(), ranked.end()) - ranked.begin());
  part.top = features[0];
  part.gap = features[1];
  part.outside = out_of_scope_probability(parts, scores);
  return part;
}

std::vector<double> look_for_split(const GateParts& parts, std::size_t atoms,
                                   const NgramScoresOf& scores_of) {
  const auto split = best_split(
      atoms, [&](Stretch stretch) { return guess_by_ngrams(parts, scores_of(stretch)); },
      WholeMessage::MustSplit);
  if (split.empty()) return {};
  std::vector<PartScores> judged;
  for (const Stretch stretch : split) judged.push_back(part_scores(parts, scores_of(stretch)));
  const GateScores& whole = scores_of({0, atoms - 1});
  return split_features(judged, part_scores(parts, whole), whole.classes);
}

bool is_worth_a_look(const GateParts& parts, const std::vector<double>& look) {
  return !look.empty() && parts.splitter.possible.probability(look) >= parts.splitter.worth_a_look;
}

}  // namespace signalbox

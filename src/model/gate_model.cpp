#include "model/gate_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "model/calibration_math.h"
#include "model/gate_model_parts.h"
#include "model/out_of_scope.h"

namespace signalbox {
namespace {

constexpr std::size_t kScoresKept = 8;

// Six decimals: enough for any threshold, and nothing below them is worth a difference.
float rounded(double probability) {
  return static_cast<float>(std::floor(probability * 1e6 + 0.5) / 1e6);
}

std::vector<RouteScore> best_routes(std::span<const double> probabilities, const std::vector<std::string>& routes) {
  std::vector<std::size_t> order(routes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t kept = std::min(kScoresKept, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return probabilities[a] != probabilities[b] ? probabilities[a] > probabilities[b] : a < b;
                    });
  std::vector<RouteScore> best;
  for (std::size_t i = 0; i < kept; ++i) {
    best.push_back({routes[order[i]], rounded(probabilities[order[i]])});
  }
  return best;
}

GatePrediction nothing_said(EncodeNote note) {
  GatePrediction prediction;
  prediction.out_of_scope = 1;
  prediction.used_encoder = false;
  prediction.note = note;
  return prediction;
}

}  // namespace

std::vector<double> exit_features(std::span<const float> route_scores, float coverage) {
  const auto features = scope_features({route_scores, 0, 0, coverage});
  return {features[0], features[1], coverage};
}

GateModel::GateModel(GateParts parts, std::shared_ptr<const Encoder> encoder) : encoder_(std::move(encoder)) {
  parts.centre_lanes = LaneMatrix(parts.centres, parts.head.dense(), parts.routes.size());
  parts_ = std::make_shared<const GateParts>(std::move(parts));
}

GatePrediction GateModel::predict(std::string_view text) const {
  GatePrediction prediction = predict_whole(text);
  if (!prediction.scores.empty()) {
    const RouteScore& best = prediction.scores.front();
    prediction.intents.push_back({best.route, best.probability, std::string(text), 0, text.size()});
  }
  return prediction;
}

GatePrediction GateModel::predict_whole(std::string_view text) const {
  const GateParts& parts = *parts_;
  thread_local NgramRow row;
  parts.ngrams.read(text, row);
  const std::size_t routes = parts.routes.size();
  std::vector<float> scores(parts.head.classes());
  std::vector<double> probabilities(routes);
  parts.head.score_ngrams(row.values, scores);
  const std::span<const float> route_scores(scores.data(), routes);

  GatePrediction prediction;
  if (parts.exit.is_enabled) {
    const double sure = parts.exit.sure.probability(exit_features(route_scores, row.coverage));
    if (sure >= parts.exit.threshold) {
      parts.softmax.apply(route_scores, probabilities);
      const std::size_t top = static_cast<std::size_t>(
          std::max_element(route_scores.begin(), route_scores.end()) - route_scores.begin());
      const double doubt = 1.0 - sure;
      const double others = std::max(1.0 - probabilities[top], 1e-9);
      for (std::size_t r = 0; r < routes; ++r) {
        probabilities[r] = r == top ? sure : probabilities[r] / others * doubt * (1.0 - parts.exit.out_of_scope);
      }
      prediction.scores = best_routes(probabilities, parts.routes);
      prediction.out_of_scope = rounded(doubt * parts.exit.out_of_scope);
      prediction.used_encoder = false;
      return prediction;
    }
  }

  float cosine = 0;
  prediction.used_encoder = parts.head.dense() > 0;
  if (prediction.used_encoder) {
    thread_local std::vector<float> vector;
    vector.resize(parts.head.dense());
    prediction.note = encoder_->encode(text, vector);
    std::vector<float> cosines(routes);
    parts.centre_lanes.add_products(vector, cosines);
    cosine = *std::max_element(cosines.begin(), cosines.end());
    for (float& v : vector) v *= parts.encoder_scale;
    parts.head.add_dense(vector, scores);
    if (prediction.note.words == 0) return nothing_said(prediction.note);
  } else if (row.values.empty() && text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return nothing_said({});
  }
  parts.softmax.apply(route_scores, probabilities);
  const float extra = parts.has_out_of_scope_class ? scores[routes] : 0.0F;
  const double outside = parts.scope.probability(scope_features({route_scores, extra, cosine, row.coverage}));
  for (double& p : probabilities) p *= 1.0 - outside;
  prediction.scores = best_routes(probabilities, parts.routes);
  prediction.out_of_scope = rounded(outside);
  return prediction;
}

const std::vector<std::string>& GateModel::routes() const { return parts_->routes; }
const GateMetadata& GateModel::metadata() const { return parts_->metadata; }
std::span<const RouteThreshold> GateModel::thresholds() const { return parts_->thresholds; }

}  // namespace signalbox

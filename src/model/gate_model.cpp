#include "model/gate_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "model/gate_model_parts.h"
#include "model/gate_model_scores.h"

namespace signalbox {
namespace {

constexpr std::size_t kScoresKept = 8;
constexpr double kMeant = 0.8;  // a second route over the same words needs a clear word for it

// Six decimals: enough for any threshold, and nothing below them is worth a difference.
float rounded(double probability) {
  return static_cast<float>(std::floor(probability * 1e6 + 0.5) / 1e6);
}

std::vector<RouteScore> best_routes(std::span<const double> probabilities,
                                    const std::vector<std::string>& routes) {
  std::vector<std::size_t> order(routes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t kept = std::min(kScoresKept, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return probabilities[a] != probabilities[b] ? probabilities[a] > probabilities[b]
                                                                  : a < b;
                    });
  std::vector<RouteScore> best;
  for (std::size_t i = 0; i < kept; ++i)
    best.push_back({routes[order[i]], rounded(probabilities[order[i]])});
  return best;
}

bool has_a_word(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) > 0x20; });
}

// Probabilities when the n-grams are sure: the doubt is shared among the others by their softmax.
GatePrediction exit_early(const GateParts& parts, const GateScores& scores, double sure) {
  const auto routes = scores.routes(parts);
  std::vector<double> probabilities(routes.size());
  parts.softmax.apply(routes, probabilities);
  const auto top =
      static_cast<std::size_t>(std::max_element(routes.begin(), routes.end()) - routes.begin());
  const double others = std::max(1.0 - probabilities[top], 1e-9);
  const double outside = (1.0 - sure) * parts.exit.out_of_scope;
  for (std::size_t r = 0; r < routes.size(); ++r) {
    probabilities[r] = r == top ? sure : probabilities[r] / others * (1.0 - sure - outside);
  }
  GatePrediction prediction;
  prediction.scores = best_routes(probabilities, parts.routes);
  prediction.out_of_scope = rounded(outside);
  prediction.used_encoder = false;
  return prediction;
}

GatePrediction weigh(const GateParts& parts, const GateScores& scores) {
  const auto routes = scores.routes(parts);
  std::vector<double> probabilities(routes.size());
  route_probabilities(parts, scores.ngrams, routes, probabilities);
  const double outside = out_of_scope_probability(parts, scores);
  for (double& p : probabilities) p *= 1.0 - outside;
  GatePrediction prediction;
  prediction.scores = best_routes(probabilities, parts.routes);
  prediction.out_of_scope = rounded(outside);
  prediction.used_encoder = parts.head.dense() > 0;
  prediction.note = scores.note;
  return prediction;
}

// A message with cuts, and what is known of its stretches so far.
class Splitting {
 public:
  Splitting(const GateParts& parts, std::string_view text, std::vector<Cut> cuts)
      : parts_(parts), text_(text), cuts_(std::move(cuts)) {}

  bool has_cuts() const { return !cuts_.empty(); }

  // The parts, or nothing where the message is better left whole. `whole` is its scores by all means.
  std::vector<IntentPart> intents(const Encoder* encoder, const GateScores& whole) {
    const auto look = look_for_split(parts_, cuts_.size() + 1, whole,
                                     [&](Stretch s) -> const GateScores& { return by_ngrams(s); });
    if (!is_worth_a_look(parts_, look, whole)) return {};
    whole_[{0, cuts_.size()}] = whole;
    const auto scores_of = [&](Stretch s) -> const GateScores& { return by_all(s, encoder); };
    const auto stretches =
        best_split(cuts_.size() + 1, [&](Stretch s) { return guess_route(parts_, scores_of(s)); });
    if (stretches.size() < 2) return {};
    std::vector<PartScores> judged;
    std::vector<IntentPart> found;
    for (const Stretch stretch : stretches) {
      const StretchGuess guess = guess_route(parts_, scores_of(stretch));
      judged.push_back(part_scores(parts_, scores_of(stretch)));
      const std::string_view piece = stretch_text(text_, cuts_, stretch);
      const auto begin = static_cast<std::size_t>(piece.data() - text_.data());
      found.push_back({parts_.routes[guess.route], rounded(guess.sure), std::string(piece), begin,
                       begin + piece.size()});
    }
    const auto features = split_features(judged, part_scores(parts_, whole), whole.classes);
    if (parts_.splitter.accept.probability(features) <= parts_.splitter.threshold) return {};
    return found;
  }

 private:
  using Known = std::map<std::pair<std::size_t, std::size_t>, GateScores>;

  const GateScores& by_ngrams(Stretch stretch) {
    const auto [entry, is_new] = ngrams_.try_emplace({stretch.first, stretch.last});
    if (is_new) entry->second = score_by_ngrams(parts_, stretch_text(text_, cuts_, stretch));
    return entry->second;
  }
  const GateScores& by_all(Stretch stretch, const Encoder* encoder) {
    const auto [entry, is_new] = whole_.try_emplace({stretch.first, stretch.last});
    if (is_new) {
      entry->second = by_ngrams(stretch);
      add_encoder(parts_, encoder, stretch_text(text_, cuts_, stretch), entry->second);
    }
    return entry->second;
  }

  const GateParts& parts_;
  std::string_view text_;
  std::vector<Cut> cuts_;
  Known ngrams_;  // without the encoder
  Known whole_;   // with it
};

// Where rows with several routes were learned from: every route that its own score speaks for, the
// surest first, each over the whole text. Nothing for fewer than two.
std::vector<IntentPart> intents_side_by_side(const GateParts& parts, const GateScores& scores,
                                             std::string_view text) {
  std::vector<IntentPart> found;
  if (parts.alone.weights.empty()) return found;
  const auto routes = scores.routes(parts);
  for (std::size_t r = 0; r < routes.size(); ++r) {
    const double sure = parts.alone.probability(std::array{static_cast<double>(routes[r])});
    if (sure > kMeant)
      found.push_back({parts.routes[r], rounded(sure), std::string(text), 0, text.size()});
  }
  if (found.size() < 2) return {};
  std::stable_sort(found.begin(), found.end(), [](const IntentPart& a, const IntentPart& b) {
    return a.probability > b.probability;
  });
  return found;
}

}  // namespace

GateModel::GateModel(GateParts parts, std::shared_ptr<const Encoder> encoder)
    : encoder_(std::move(encoder)) {
  parts.centre_lanes = LaneMatrix(parts.centres, parts.head.dense(), parts.routes.size());
  parts_ = std::make_shared<const GateParts>(std::move(parts));
}

GatePrediction GateModel::predict(std::string_view text) const {
  const GateParts& parts = *parts_;
  GatePrediction prediction;
  prediction.out_of_scope = 1;
  prediction.used_encoder = false;
  if (!has_a_word(text)) return prediction;
  GateScores scores = score_by_ngrams(parts, text);
  Splitting splitting(
      parts, text,
      parts.splitter.threshold < 1 ? find_cuts(text, parts.splitter.separators) : std::vector<Cut>{});
  // A message with two intents can look sure of one of them: no early exit where it may be split.
  const double sure =
      parts.exit.is_enabled && !splitting.has_cuts() ? ngram_certainty(parts, scores) : 0.0;
  if (parts.exit.is_enabled && sure >= parts.exit.threshold) {
    prediction = exit_early(parts, scores, sure);
  } else {
    add_encoder(parts, encoder_.get(), text, scores);
    prediction = weigh(parts, scores);
    if (splitting.has_cuts()) prediction.intents = splitting.intents(encoder_.get(), scores);
    if (prediction.intents.empty()) prediction.intents = intents_side_by_side(parts, scores, text);
  }
  if (prediction.intents.empty()) {
    const RouteScore& best = prediction.scores.front();
    prediction.intents.push_back({best.route, best.probability, std::string(text), 0, text.size()});
  }
  return prediction;
}

const std::vector<std::string>& GateModel::routes() const {
  return parts_->routes;
}
const GateMetadata& GateModel::metadata() const {
  return parts_->metadata;
}
std::span<const RouteThreshold> GateModel::thresholds() const {
  return parts_->thresholds;
}

}  // namespace signalbox

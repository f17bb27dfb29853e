#include "model/gate_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "model/calibration_math.h"
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
  std::vector<double> probabilities(parts.routes.size());
  route_probabilities(parts, scores.ngrams, scores.ranked, probabilities);
  const double outside = out_of_scope_probability(parts, scores);
  for (double& p : probabilities) p *= 1.0 - outside;
  GatePrediction prediction;
  prediction.scores = best_routes(probabilities, parts.routes);
  prediction.out_of_scope = rounded(outside);
  prediction.used_encoder = parts.head.dense() > 0;
  prediction.note = scores.note;
  return prediction;
}

// The parts' probabilities, brought to where their product is the whole split's: each by the same
// power.
void calibrate(std::span<StretchGuess> parts, double all) {
  double product = 1;
  for (const StretchGuess& part : parts) product *= part.sure;
  const double before = exact_log(std::clamp(product, 1e-9, 1.0 - 1e-9));
  const double power = exact_log(std::clamp(all, 1e-9, 1.0 - 1e-9)) / before;
  for (StretchGuess& part : parts) part.sure = exact_exp(power * exact_log(part.sure));
}

// A message with cuts, and what is known of its stretches.
class Splitting {
 public:
  Splitting(const GateParts& parts, std::string_view text, std::vector<Cut> cuts)
      : parts_(parts), text_(text), cuts_(std::move(cuts)) {}

  // Whether the n-grams find several intents possible. `whole` is the message's scores by them alone.
  bool is_possible(const GateScores& whole) {
    if (cuts_.empty()) return false;
    for (std::size_t first = 0; first <= cuts_.size(); ++first) {
      for (std::size_t last = first; last <= cuts_.size(); ++last) {
        const Stretch stretch{first, last};
        scores_[{first, last}] = is_whole(stretch) ? whole : score_by_ngrams(parts_, text_of(stretch));
      }
    }
    return is_worth_a_look(parts_, look_for_split(parts_, cuts_.size() + 1, scores_of()));
  }

  // The parts, or nothing where the message is better left whole. `whole` is its scores by all means;
  // only after is_possible().
  std::vector<IntentPart> intents(const Encoder* encoder, const GateScores& whole) {
    ask_encoder(encoder, whole);
    const auto known = scores_of();
    const auto stretches =
        best_split(cuts_.size() + 1, [&](Stretch s) { return guess_route(parts_, known(s)); });
    if (stretches.size() < 2) return {};
    std::vector<PartScores> judged;
    std::vector<StretchGuess> guesses;
    for (const Stretch stretch : stretches) {
      guesses.push_back(guess_route(parts_, known(stretch)));
      judged.push_back(part_scores(parts_, known(stretch)));
    }
    const double accepted = parts_.splitter.accept.probability(
        split_features(judged, part_scores(parts_, whole), whole.classes));
    if (accepted <= parts_.splitter.threshold) return {};
    calibrate(guesses, parts_.splitter.sure.probability(certainty_features(guesses, accepted)));
    std::vector<IntentPart> found;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const std::string_view piece = text_of(stretches[i]);
      const auto begin = static_cast<std::size_t>(piece.data() - text_.data());
      found.push_back({parts_.routes[guesses[i].route], rounded(guesses[i].sure), std::string(piece),
                       begin, begin + piece.size()});
    }
    return found;
  }

 private:
  bool is_whole(Stretch stretch) const { return stretch.first == 0 && stretch.last == cuts_.size(); }
  std::string_view text_of(Stretch stretch) const { return stretch_text(text_, cuts_, stretch); }
  NgramScoresOf scores_of() const {
    return [this](Stretch s) -> const GateScores& { return scores_.at({s.first, s.last}); };
  }

  void ask_encoder(const Encoder* encoder, const GateScores& whole) {
    std::vector<std::string_view> texts;
    std::vector<GateScores*> scores;
    for (auto& [ends, known] : scores_) {
      const Stretch stretch{ends.first, ends.second};
      if (is_whole(stretch)) {
        known = whole;
        continue;
      }
      texts.push_back(text_of(stretch));
      scores.push_back(&known);
    }
    add_encoder(parts_, encoder, texts, scores);
  }

  const GateParts& parts_;
  std::string_view text_;
  std::vector<Cut> cuts_;
  std::map<std::pair<std::size_t, std::size_t>, GateScores> scores_;
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
  const bool may_be_several = splitting.is_possible(scores);
  // A message with two intents can look sure of one of them: no early exit where it may be split.
  const double sure = parts.exit.is_enabled && !may_be_several ? ngram_certainty(parts, scores) : 0.0;
  if (parts.exit.is_enabled && sure >= parts.exit.threshold) {
    prediction = exit_early(parts, scores, sure);
  } else {
    add_encoder(parts, encoder_.get(), text, scores);
    prediction = weigh(parts, scores);
    if (may_be_several) prediction.intents = splitting.intents(encoder_.get(), scores);
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

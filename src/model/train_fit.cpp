#include "model/train_fit.h"

#include <algorithm>
#include <cmath>

#include "model/calibration_math.h"
#include "model/out_of_scope.h"
#include "model/train_exit.h"
#include "model/train_intents.h"
#include "model/train_thresholds.h"

namespace signalbox {
namespace {

constexpr double kPriorSlope = 4.0;
constexpr double kPriorRows = 20.0;
constexpr std::size_t kMostFitted = 4000;
constexpr std::size_t kEnoughValid = 200;

// Rows in scope that calibrate: those the user set apart where there are enough, else disturbed copies
// of the held-out ones; and those that say how sure to be of the best route, which may be others.
struct Witnesses {
  std::vector<Judged> rows;
  std::vector<Judged> for_trust;
};

// Disturbed and torn rows are harder than what people write. N-grams alone, which cannot have met a row
// before, tell by how much: the rows are weighed half the way (by the root) to where n-grams are right
// as often as on the rows as they were.
void weigh(const std::vector<Judged>& all, const TrainSet& set, ExampleUse harder,
           std::vector<Judged>& rows) {
  const auto share_right = [&](ExampleUse use) {
    double right = 0.5;
    double count = 1;
    for (const Judged& row : all) {
      if (set.examples[row.example].use != use) continue;
      right += row.is_quick_right() ? 1 : 0;
      count += 1;
    }
    return right / count;
  };
  const double whole = share_right(ExampleUse::Learn);
  const double lacking = share_right(harder);
  for (Judged& row : rows)
    row.weight = std::sqrt(row.is_quick_right() ? whole / lacking : (1 - whole) / (1 - lacking));
}

Witnesses choose_witnesses(const TrainSet& set, const std::vector<Judged>& all) {
  const auto use_of = [&](const Judged& row) { return set.examples[row.example].use; };
  const auto count =
      static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Judged& row) {
        return use_of(row) == ExampleUse::Valid && !row.is_outside;
      }));
  const bool has_valid = count >= kEnoughValid;
  const bool has_torn = std::any_of(all.begin(), all.end(),
                                    [&](const Judged& row) { return use_of(row) == ExampleUse::Torn; });
  const ExampleUse usual = has_valid ? ExampleUse::Valid : ExampleUse::Disturbed;
  const ExampleUse trusted = has_torn && !has_valid ? ExampleUse::Torn : usual;
  Witnesses witnesses;
  for (const Judged& row : all) {
    if (row.is_outside || use_of(row) == usual) witnesses.rows.push_back(row);
    if (!row.is_outside && use_of(row) == trusted) witnesses.for_trust.push_back(row);
  }
  if (!has_valid) weigh(all, set, trusted, witnesses.for_trust);
  return witnesses;
}

ScopeEvidence evidence(const Judged& row, const TrainSet& set) {
  return {row.head_scores, row.outside_score, row.cosine, set.held_rows[row.example].coverage};
}

void fit_softmax_part(const std::vector<Judged>& rows, std::size_t routes, GateParts& parts) {
  std::size_t inside = 0;
  for (const Judged& row : rows) inside += row.is_outside ? 0 : 1;
  const std::size_t step = inside / kMostFitted + 1;
  std::vector<SoftmaxRow> fitted;
  std::size_t n = 0;
  for (const Judged& row : rows) {
    if (row.is_outside || n++ % step != 0) continue;
    fitted.push_back({row.scores, row.label, 1.0});
  }
  parts.softmax = fit_softmax(fitted, routes, kPriorSlope, kPriorRows);
}

void fit_trust_part(const std::vector<Judged>& rows, const TrainSet& set, GateParts& parts) {
  std::vector<LogisticRow> fitted;
  std::vector<double> probabilities(set.routes.size());
  for (const Judged& row : rows) {
    parts.softmax.apply(row.scores, probabilities);
    std::vector<double> features = trust_features(row.quick_scores, probabilities);
    // N-grams lose more by missing words than the encoder does: torn rows say nothing of their consent.
    if (set.examples[row.example].use == ExampleUse::Torn) features[1] = features[2] = 0;
    fitted.push_back({std::move(features), row.is_right(), row.weight});
  }
  // Few rows leave the softmax as it is.
  parts.trust = fit_logistic(fitted, {.bias = 0, .weights = {1, 0, 0}}, 5.0);
}

// Only rows with several routes can tell when a second one is meant; each row's five highest scores
// speak.
void fit_alone_part(const TrainSet& set, const SvmSolution& solution, GateParts& parts) {
  const bool has_several =
      std::any_of(set.examples.begin(), set.examples.end(), [](const Example& example) {
        return example.use == ExampleUse::Learn && example.labels.size() > 1;
      });
  if (!has_several) return;
  constexpr std::size_t kHighest = 5;
  std::vector<LogisticRow> fitted;
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    if (example.use != ExampleUse::Disturbed) continue;
    std::vector<std::pair<double, bool>> scores;
    for (std::uint32_t r = 0; r < set.routes.size(); ++r) {
      const float score = solution.held_out(i, r);
      const bool is_meant =
          std::find(example.labels.begin(), example.labels.end(), r) != example.labels.end();
      scores.emplace_back(static_cast<double>(score), is_meant);
    }
    std::sort(scores.rbegin(), scores.rend());
    scores.resize(std::min(scores.size(), kHighest));
    for (const auto& [score, is_meant] : scores) fitted.push_back({{score}, is_meant, 1.0});
  }
  parts.alone = fit_logistic(fitted, {.bias = 0, .weights = {3}}, 1.0);
}

void fit_scope_part(const std::vector<Judged>& rows, const TrainSet& set, double share,
                    GateParts& parts) {
  std::vector<LogisticRow> fitted;
  double outside = 0;
  for (const Judged& row : rows) {
    const auto features = scope_features(evidence(row, set));
    fitted.push_back({{features.begin(), features.end()}, row.is_outside, 1.0});
    outside += row.is_outside ? 1 : 0;
  }
  const double inside = static_cast<double>(rows.size()) - outside;
  const double total = std::min(inside + outside, 20.0 * std::max(outside, 1.0));
  for (LogisticRow& row : fitted) {
    row.weight = row.is_positive ? total * share / std::max(outside, 1.0)
                                 : total * (1.0 - share) / std::max(inside, 1.0);
  }
  parts.scope = fit_logistic(fitted, default_scope_model(), 0.5);
}

// What predict() would say of a held-out row.
struct Answer {
  double confidence = 0;  // in the best route
  bool refuses = false;   // out of scope is likelier
};

Answer answer_of(const Judged& row, const TrainSet& set, const GateParts& parts,
                 std::vector<double>& scratch) {
  const double away = parts.scope.probability(scope_features(evidence(row, set)));
  scratch.resize(set.routes.size());
  route_probabilities(parts, row.quick_scores, row.scores, scratch);
  const double top = *std::max_element(scratch.begin(), scratch.end()) * (1 - away);
  return {top, away > top};
}

void measure(const std::vector<Judged>& rows, const TrainSet& set, double target_precision,
             GateParts& parts) {
  std::vector<ConfidenceRow> confidence;
  std::vector<ThresholdRow> answers;
  std::vector<double> scratch;
  double right = 0;
  double inside = 0;
  double refused = 0;
  double outside = 0;
  for (const Judged& row : rows) {
    const Example& example = set.examples[row.example];
    if (example.use == ExampleUse::Generic) continue;
    const Answer answer = answer_of(row, set, parts, scratch);
    answers.push_back({row.best, answer.refuses ? -1.0 : answer.confidence, row.is_right(), row.label,
                       example.fold >= 0 ? example.fold : static_cast<int>(row.example % 2)});
    if (row.is_outside) {
      outside += 1;
      refused += answer.refuses ? 1 : 0;
      continue;
    }
    inside += 1;
    right += row.is_right() && !answer.refuses ? 1 : 0;
    confidence.push_back({answer.confidence, row.is_right()});
  }
  parts.metadata.accuracy = inside > 0 ? right / inside : 0;
  parts.metadata.calibration_error = expected_calibration_error(confidence);
  parts.metadata.out_of_scope_recall = outside > 0 ? refused / outside : 0;
  if (target_precision > 0) parts.thresholds = fit_thresholds(answers, set.routes, target_precision);
}

}  // namespace

void fit_on_held_out(const TrainSet& set, const Learned& learned, const TrainOptions& options,
                     GateParts& parts) {
  const std::vector<Judged> all = judged_rows(set, learned, parts.has_out_of_scope_class);
  const bool has_own_outside =
      std::any_of(set.examples.begin(), set.examples.end(),
                  [](const Example& example) { return example.use == ExampleUse::Outside; });
  const double generic =
      std::clamp(options.generic_share / static_cast<double>(set.routes.size()), 0.03, 0.1);
  const double share = has_own_outside ? options.out_of_scope_share : generic;
  fit_alone_part(set, learned.whole, parts);
  fit_exit(all, set, options.out_of_scope_share, parts);
  const auto [rows, for_trust] = choose_witnesses(set, all);
  fit_softmax_part(rows, set.routes.size(), parts);
  fit_trust_part(for_trust, set, parts);
  fit_scope_part(rows, set, share, parts);
  fit_splitter(set, learned, options.separators, parts);
  measure(rows, set, options.target_precision, parts);
}

}  // namespace signalbox

#include "model/train_fit.h"

#include <algorithm>
#include <cmath>

#include "model/calibration_math.h"
#include "model/out_of_scope.h"
#include "model/train_intents.h"
#include "model/train_thresholds.h"

namespace signalbox {
namespace {

constexpr double kPriorSlope = 4.0;
constexpr double kPriorRows = 20.0;
constexpr std::size_t kMostFitted = 4000;
constexpr double kExitPrecision = 0.995;
constexpr float kClaimed = 0.0F;
constexpr std::size_t kEnoughValid = 200;

// What a held-out row looks like to the calibration.
struct Judged {
  std::size_t example = 0;
  std::vector<float> scores;  // of the routes
  std::vector<float> ngram_scores;
  float outside_score = 0;
  float ngram_outside = 0;
  float cosine = 0;
  bool is_outside = false;
  std::uint32_t label = 0;
  std::uint32_t best = 0;

  bool is_right() const { return !is_outside && best == label; }
};

std::vector<Judged> judged_rows(const TrainSet& set, const SvmSolution& solution, bool has_outside) {
  std::vector<Judged> rows;
  const std::size_t routes = set.routes.size();
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    if (example.use == ExampleUse::Joined || example.use == ExampleUse::LeftOut ||
        example.labels.size() != 1)
      continue;
    Judged row;
    row.example = i;
    const float* sparse = solution.held_out_sparse.data() + i * solution.stride;
    const float* dense = solution.held_out_dense.data() + i * solution.stride;
    row.ngram_scores.assign(sparse, sparse + routes);
    for (std::size_t r = 0; r < routes; ++r) row.scores.push_back(sparse[r] + dense[r]);
    if (has_outside) row.outside_score = sparse[routes] + dense[routes];
    if (has_outside) row.ngram_outside = sparse[routes];
    row.cosine = set.nearest(i);
    row.label = example.labels.front();
    row.is_outside = row.label == set.outside();
    row.best = static_cast<std::uint32_t>(std::max_element(row.scores.begin(), row.scores.end()) -
                                          row.scores.begin());
    // Generic text that the routes claim for themselves is no witness against them.
    if (example.use == ExampleUse::Generic && row.scores[row.best] > kClaimed) continue;
    rows.push_back(std::move(row));
  }
  return rows;
}

// Which rows in scope calibrate: those the user set apart where there are enough, else disturbed copies
// of the held-out ones.
void keep_witnesses(const TrainSet& set, std::vector<Judged>& rows) {
  const auto use_of = [&](const Judged& row) { return set.examples[row.example].use; };
  const auto count =
      static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const Judged& row) {
        return use_of(row) == ExampleUse::Valid && !row.is_outside;
      }));
  const ExampleUse unwanted = count >= kEnoughValid ? ExampleUse::Disturbed : ExampleUse::Valid;
  std::erase_if(rows, [&](const Judged& row) {
    return use_of(row) == ExampleUse::Learn || (use_of(row) == unwanted && !row.is_outside);
  });
}

ScopeEvidence evidence(const Judged& row, const TrainSet& set) {
  return {row.scores, row.outside_score, row.cosine, set.held_rows[row.example].coverage};
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

void fit_trust_part(const std::vector<Judged>& rows, std::size_t routes, GateParts& parts) {
  std::vector<LogisticRow> fitted;
  std::vector<double> probabilities(routes);
  for (const Judged& row : rows) {
    if (row.is_outside) continue;
    parts.softmax.apply(row.scores, probabilities);
    fitted.push_back({trust_features(row.ngram_scores, probabilities), row.is_right(), 1.0});
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
      const std::size_t at = i * solution.stride + r;
      const float score = solution.held_out_sparse[at] + solution.held_out_dense[at];
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

void fit_exit_part(const std::vector<Judged>& all, const TrainSet& set, double share,
                   GateParts& parts) {
  double outside = 0;
  std::vector<Judged> rows;
  for (const Judged& row : all) {
    const ExampleUse use = set.examples[row.example].use;
    if (use != ExampleUse::Disturbed && use != ExampleUse::Valid) rows.push_back(row);
  }
  for (const Judged& row : rows) outside += row.is_outside ? 1 : 0;
  const double inside = static_cast<double>(rows.size()) - outside;
  const double outside_weight = outside > 0 ? share / (1.0 - share) * inside / outside : 0.0;
  std::vector<LogisticRow> fitted;
  for (const Judged& row : rows) {
    const auto best =
        std::max_element(row.ngram_scores.begin(), row.ngram_scores.end()) - row.ngram_scores.begin();
    const bool right = !row.is_outside && static_cast<std::uint32_t>(best) == row.label;
    fitted.push_back(
        {exit_features(row.ngram_scores, row.ngram_outside, set.held_rows[row.example].coverage), right,
         row.is_outside ? outside_weight : 1.0});
  }
  parts.exit.sure = fit_logistic(fitted, {}, 0.1);
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < fitted.size(); ++i)
    ranked.emplace_back(parts.exit.sure.probability(fitted[i].features), i);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  double weight = 0;
  double wrong = 0;
  double wrong_outside = 0;
  double exits = 0;
  for (const auto& [sure, i] : ranked) {
    weight += fitted[i].weight;
    exits += rows[i].is_outside ? 0 : 1;
    if (!fitted[i].is_positive) {
      wrong += fitted[i].weight;
      wrong_outside += rows[i].is_outside ? fitted[i].weight : 0;
    }
    // Half an error more than were seen, so that few rows prove little.
    if (set.dense == 0 || weight < 50 || (wrong + 0.5) / weight > 1.0 - kExitPrecision) continue;
    parts.exit.threshold = sure;
    parts.exit.is_enabled = true;
    parts.exit.out_of_scope = wrong > 0 ? wrong_outside / wrong : 0.5;
    parts.metadata.early_exit_share = exits / std::max(inside, 1.0);
  }
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
  route_probabilities(parts, row.ngram_scores, row.scores, scratch);
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

void fit_on_held_out(const TrainSet& set, const SvmSolution& solution, const TrainOptions& options,
                     GateParts& parts) {
  std::vector<Judged> rows = judged_rows(set, solution, parts.has_out_of_scope_class);
  const bool has_own_outside =
      std::any_of(set.examples.begin(), set.examples.end(),
                  [](const Example& example) { return example.use == ExampleUse::Outside; });
  const double generic =
      std::clamp(options.generic_share / static_cast<double>(set.routes.size()), 0.03, 0.1);
  const double share = has_own_outside ? options.out_of_scope_share : generic;
  fit_exit_part(rows, set, options.out_of_scope_share, parts);
  keep_witnesses(set, rows);
  fit_softmax_part(rows, set.routes.size(), parts);
  fit_trust_part(rows, set.routes.size(), parts);
  fit_scope_part(rows, set, share, parts);
  fit_alone_part(set, solution, parts);
  fit_splitter(set, solution, options.separators, parts);
  measure(rows, set, options.target_precision, parts);
}

}  // namespace signalbox

#include "model/train_exit.h"

#include <algorithm>
#include <cmath>

namespace signalbox {
namespace {

constexpr double kMostLost = 0.001;  // of all traffic
constexpr double kUnseen = 2;        // rows lost that the folds did not show

// What a row costs, in rows, when it leaves early. Negative: the n-grams are right where the whole head
// is not.
double lost(const Judged& row) {
  if (row.is_outside) return 1;
  return (row.is_right() ? 1.0 : 0.0) - (row.is_quick_right() ? 1.0 : 0.0);
}

std::vector<const Judged*> witnesses(const std::vector<Judged>& all, const TrainSet& set) {
  std::vector<const Judged*> rows;
  for (const Judged& row : all) {
    const ExampleUse use = set.examples[row.example].use;
    if (use == ExampleUse::Valid) continue;
    if (use == ExampleUse::Learn || row.is_outside) rows.push_back(&row);
  }
  return rows;
}

}  // namespace

void fit_exit(const std::vector<Judged>& all, const TrainSet& set, double outside_share,
              GateParts& parts) {
  const std::vector<const Judged*> rows = witnesses(all, set);
  double outside = 0;
  for (const Judged* row : rows) outside += row->is_outside ? 1 : 0;
  const double inside = static_cast<double>(rows.size()) - outside;
  const double outside_weight =
      outside > 0 ? outside_share / (1.0 - outside_share) * inside / outside : 0.0;
  std::vector<LogisticRow> fitted;
  double traffic = 0;
  for (const Judged* row : rows) {
    fitted.push_back(
        {exit_features(row->quick_scores, row->quick_outside, set.held_rows[row->example].coverage),
         row->is_quick_right(), row->is_outside ? outside_weight : 1.0});
    traffic += fitted.back().weight;
  }
  parts.exit.sure = fit_logistic(fitted, {}, 0.1);
  if (set.dense == 0 || !parts.alone.weights.empty()) return;

  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < fitted.size(); ++i)
    ranked.emplace_back(parts.exit.sure.probability(fitted[i].features), i);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  double all_lost = kUnseen;
  double differing = 0;  // where one head is right and the other is not
  double wrong = 0;
  double wrong_outside = 0;
  double exits = 0;
  for (const auto& [sure, i] : ranked) {
    const double weight = fitted[i].weight;
    all_lost += weight * lost(*rows[i]);
    differing += weight * std::abs(lost(*rows[i]));
    wrong += fitted[i].is_positive ? 0 : weight;
    wrong_outside += rows[i]->is_outside ? weight : 0;
    exits += rows[i]->is_outside ? 0 : 1;
    // Gains make up for losses only as far as chance, by one standard deviation, does not.
    if (all_lost + std::sqrt(differing) > kMostLost * traffic) continue;
    parts.exit.threshold = sure;
    parts.exit.is_enabled = true;
    parts.exit.out_of_scope = wrong > 0 ? wrong_outside / wrong : 0.5;
    parts.metadata.early_exit_share = exits / std::max(inside, 1.0);
  }
}

}  // namespace signalbox

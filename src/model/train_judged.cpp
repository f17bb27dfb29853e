#include "model/train_judged.h"

#include <algorithm>

namespace signalbox {
namespace {

constexpr float kClaimed = 0.0F;
constexpr double kClearlyWorse = 0.004;  // in held-out accuracy

std::uint32_t best_of(const std::vector<float>& scores) {
  return static_cast<std::uint32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

}  // namespace

std::vector<Judged> judged_rows(const TrainSet& set, const Learned& learned, bool has_outside) {
  std::vector<Judged> rows;
  const std::size_t routes = set.routes.size();
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    if (example.use == ExampleUse::Joined || example.use == ExampleUse::LeftOut ||
        example.labels.size() != 1)
      continue;
    Judged row;
    row.example = i;
    const float* quick = learned.quick.held_out_sparse.data() + i * learned.quick.stride;
    row.quick_scores.assign(quick, quick + routes);
    const auto ranked = std::span(learned.ranked).subspan(i * routes, routes);
    row.scores.assign(ranked.begin(), ranked.end());
    for (std::size_t r = 0; r < routes; ++r) row.head_scores.push_back(learned.whole.held_out(i, r));
    if (has_outside) row.outside_score = learned.whole.held_out(i, routes);
    if (has_outside) row.quick_outside = quick[routes];
    row.cosine = set.nearest(i);
    row.label = example.labels.front();
    row.is_outside = row.label == set.outside();
    row.best = best_of(row.scores);
    row.quick_best = best_of(row.quick_scores);
    if (example.use == ExampleUse::Generic && row.head_scores[best_of(row.head_scores)] > kClaimed)
      continue;
    rows.push_back(std::move(row));
  }
  return rows;
}

double held_out_accuracy(const TrainSet& set, std::initializer_list<ExampleUse> uses,
                         const BestRoute& best) {
  double right = 0;
  double all = 0;
  for (std::size_t i = 0; i < set.examples.size(); ++i) {
    const Example& example = set.examples[i];
    if (std::find(uses.begin(), uses.end(), example.use) == uses.end()) continue;
    const auto& labels = example.labels;
    right += std::find(labels.begin(), labels.end(), best(i)) != labels.end() ? 1 : 0;
    all += 1;
  }
  return all > 0 ? right / all : 0;
}

bool is_clearly_worse(const TrainSet& set, const BestRoute& now, const BestRoute& before) {
  const auto own = {ExampleUse::Disturbed, ExampleUse::Learn};
  return held_out_accuracy(set, own, now) + kClearlyWorse < held_out_accuracy(set, own, before);
}

}  // namespace signalbox

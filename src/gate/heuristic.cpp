#include "gate/heuristic.h"

#include <algorithm>

namespace signalbox {

HeuristicVerdict apply_heuristic(const Heuristic& heuristic,
                                 std::span<const CompiledCondition> conditions, const Facts& facts) {
  HeuristicVerdict verdict;
  std::vector<Alternative> totals;
  for (std::size_t i = 0; i < heuristic.scores.size(); ++i) {
    const HeuristicScore& score = heuristic.scores[i];
    if (!conditions[i].holds(facts)) continue;
    double times = 1;
    if (score.per == "tables") times = static_cast<double>(facts.decision.tables.size());
    if (score.per == "columns") times = static_cast<double>(facts.decision.columns.size());
    if (times == 0) continue;
    auto total = std::find_if(totals.begin(), totals.end(),
                              [&](const Alternative& entry) { return entry.route == score.route; });
    if (total == totals.end()) total = totals.insert(totals.end(), {score.route, 0});
    total->confidence += score.weight * times;
    verdict.signals.insert(verdict.signals.end(), score.signals.begin(), score.signals.end());
  }
  for (Alternative& total : totals) total.confidence = std::clamp(total.confidence, 0.0, 1.0);
  std::stable_sort(totals.begin(), totals.end(), [](const Alternative& a, const Alternative& b) {
    return a.confidence > b.confidence;
  });
  if (totals.empty() || totals.front().confidence <= 0) return verdict;
  verdict.route = totals.front().route;
  verdict.score = totals.front().confidence;
  verdict.others.assign(totals.begin() + 1, totals.end());
  return verdict;
}

}  // namespace signalbox

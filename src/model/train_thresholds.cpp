#include "model/train_thresholds.h"

#include <algorithm>

namespace signalbox {
namespace {

constexpr double kImagined = 2;

std::vector<float> lowest_thresholds(std::span<const ThresholdRow> rows, std::size_t routes,
                                     double target) {
  std::vector<std::vector<const ThresholdRow*>> by_route(routes);
  double right = 0;
  double answered = 0;
  for (const ThresholdRow& row : rows) {
    if (row.confidence < 0) continue;
    by_route[row.got].push_back(&row);
    right += row.is_right ? 1 : 0;
    answered += 1;
  }
  const double overall = answered > 0 ? right / answered : 0;
  std::vector<float> thresholds(routes, 1.0F);
  for (std::size_t r = 0; r < routes; ++r) {
    auto& answers = by_route[r];
    std::stable_sort(answers.begin(), answers.end(), [](const ThresholdRow* a, const ThresholdRow* b) {
      return a->confidence > b->confidence;
    });
    double good = kImagined * overall;
    double all = kImagined;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      good += answers[i]->is_right ? 1 : 0;
      all += 1;
      const bool is_tied =
          i + 1 < answers.size() && answers[i + 1]->confidence == answers[i]->confidence;
      if (!is_tied && good / all >= target) thresholds[r] = static_cast<float>(answers[i]->confidence);
    }
  }
  return thresholds;
}

struct Account {
  double accepted = 0;
  double right = 0;
  double expected = 0;
};

void judge(std::span<const ThresholdRow> rows, const std::vector<float>& thresholds,
           std::vector<Account>& accounts) {
  for (const ThresholdRow& row : rows) {
    if (row.label < accounts.size()) accounts[row.label].expected += 1;
    if (static_cast<float>(row.confidence) < thresholds[row.got]) continue;
    accounts[row.got].accepted += 1;
    accounts[row.got].right += row.is_right ? 1 : 0;
  }
}

}  // namespace

std::vector<RouteThreshold> fit_thresholds(std::span<const ThresholdRow> rows,
                                           const std::vector<std::string>& routes,
                                           double target_precision) {
  std::vector<ThresholdRow> half[2];
  for (const ThresholdRow& row : rows) half[row.fold % 2 == 0 ? 0 : 1].push_back(row);
  std::vector<Account> accounts(routes.size());
  for (int i = 0; i < 2; ++i)
    judge(half[i], lowest_thresholds(half[1 - i], routes.size(), target_precision), accounts);
  const std::vector<float> thresholds = lowest_thresholds(rows, routes.size(), target_precision);
  std::vector<RouteThreshold> out;
  for (std::size_t r = 0; r < routes.size(); ++r) {
    const Account& account = accounts[r];
    RouteThreshold entry;
    entry.route = routes[r];
    entry.threshold = thresholds[r];
    entry.precision = static_cast<float>(account.accepted > 0 ? account.right / account.accepted : 0);
    entry.coverage = static_cast<float>(account.expected > 0 ? account.right / account.expected : 0);
    entry.support = static_cast<std::size_t>(account.expected);
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace signalbox

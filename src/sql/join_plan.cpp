#include "sql/join_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace signalbox {
namespace {

constexpr std::size_t kLongestWay = 4;  // a longer one is more likely chance than meaning

struct Way {
  std::vector<JoinStep> steps;
};

bool visits(const Way& way, int table) {
  return std::any_of(way.steps.begin(), way.steps.end(),
                     [&](const JoinStep& step) { return step.table == table; });
}

// All shortest ways from any table of the plan to `to`.
std::vector<Way> shortest_ways(const SqlSchema& schema, const JoinPlan& plan, int to) {
  std::vector<Way> found;
  std::deque<std::pair<int, Way>> open;
  open.push_back({plan.root, {}});
  for (const JoinStep& step : plan.steps) open.push_back({step.table, {}});
  while (!open.empty()) {
    auto [at, way] = std::move(open.front());
    open.pop_front();
    if (way.steps.size() >= kLongestWay ||
        (!found.empty() && way.steps.size() >= found.front().steps.size()))
      continue;
    for (const SqlLink& link : schema.links) {
      for (const bool is_forward : {true, false}) {
        if ((is_forward ? link.table : link.to_table) != at) continue;
        const int next = is_forward ? link.to_table : link.table;
        if (plan.holds(next) || visits(way, next)) continue;
        Way longer = way;
        longer.steps.push_back({link, next, !is_forward});
        if (next == to) {
          found.push_back(std::move(longer));
        } else {
          open.push_back({next, std::move(longer)});
        }
      }
    }
  }
  return found;
}

}  // namespace

bool JoinPlan::holds(int table) const {
  return table == root || std::any_of(steps.begin(), steps.end(),
                                      [&](const JoinStep& step) { return step.table == table; });
}

bool JoinPlan::multiplies_for(int table) const {
  // Walks back from the table to the root.
  while (table != root) {
    const auto step = std::find_if(steps.begin(), steps.end(),
                                   [&](const JoinStep& each) { return each.table == table; });
    if (step == steps.end()) return false;
    if (step->multiplies) return true;
    table = step->link.table == table ? step->link.to_table : step->link.table;
  }
  return false;
}

Sure<JoinPlan> plan_joins(const SqlSchema& schema, int root, const std::vector<int>& tables) {
  JoinPlan plan{root, {}};
  const auto name = [&](int table) { return schema.tables[static_cast<std::size_t>(table)].name; };
  // Near tables first: what is joined already shows the way to those farther off.
  std::vector<int> left = tables;
  while (!left.empty()) {
    std::size_t best = left.size();
    std::vector<Way> best_ways;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (plan.holds(left[i])) {
        best = i;
        best_ways.clear();
        break;
      }
      auto ways = shortest_ways(schema, plan, left[i]);
      if (ways.empty()) continue;
      if (best_ways.empty() || ways.front().steps.size() < best_ways.front().steps.size()) {
        best = i;
        best_ways = std::move(ways);
      }
    }
    if (best == left.size()) return doubt("no_link", name(left.front()), name(root));
    if (best_ways.size() > 1) return doubt("several_links", name(root), name(left[best]));
    if (!best_ways.empty()) {
      for (JoinStep& step : best_ways.front().steps) plan.steps.push_back(step);
    }
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return plan;
}

}  // namespace signalbox

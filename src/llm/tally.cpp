#include "llm/tally.h"

#include <algorithm>

namespace signalbox {
namespace {

struct Count {
  std::string route;
  std::size_t votes = 0;
};

void add_vote(std::vector<Count>& counts, const std::string& route) {
  if (route.empty()) return;
  const auto known = std::find_if(counts.begin(), counts.end(),
                                  [&](const Count& count) { return count.route == route; });
  if (known == counts.end())
    counts.push_back({route, 1});
  else
    ++known->votes;
}

// By how much the best is ahead of the second best.
std::size_t lead_of(const std::vector<Count>& counts) {
  std::size_t best = 0;
  std::size_t second = 0;
  for (const Count& count : counts) {
    if (count.votes > best)
      second = best, best = count.votes;
    else
      second = std::max(second, count.votes);
  }
  return best - second;
}

}  // namespace

Tally tally(std::span<const Vote> votes) {
  Tally out;
  std::vector<Count> counts;
  for (const Vote& vote : votes) {
    if (!vote) return out;
    add_vote(counts, *vote);
    ++out.counted;
    if (lead_of(counts) > votes.size() - out.counted) break;
  }
  out.is_settled = true;
  std::size_t best = 0;
  for (const Count& count : counts) best = std::max(best, count.votes);
  for (const Count& count : counts)
    (count.votes == best ? out.leaders : out.others).push_back(count.route);
  return out;
}

}  // namespace signalbox

// Counts the votes of an ensemble.
//
// Votes count in the order of the profile, whichever came first: the shortest row of them whose leader
// the rest cannot reach decides. So the same answers give the same result whatever the timing.
// Plain functions of their arguments, thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace signalbox {

// A route, or "" for a voice that failed. Not set: still awaited.
using Vote = std::optional<std::string>;

struct Tally {
  bool is_settled = false;  // nothing that is still awaited can change what follows
  std::size_t counted = 0;  // votes from the first on that were looked at
  std::vector<std::string>
      leaders;  // in the order of their first vote; two or more: a tie; none: all failed
  std::vector<std::string> others;  // outvoted, in the order of their first vote
};

Tally tally(std::span<const Vote> votes);

}  // namespace signalbox

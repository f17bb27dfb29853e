#include "model/prefix_lanes.h"

#include <algorithm>

namespace signalbox {

PrefixLanes::Place PrefixLanes::find(std::span<const TokenId> prompt) {
  std::size_t best = 0;
  std::size_t best_shared = 0;
  std::size_t oldest = 0;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto [end, unused] =
        std::mismatch(prompt.begin(), prompt.end(), lanes_[i].tokens.begin(), lanes_[i].tokens.end());
    const auto shared = static_cast<std::size_t>(end - prompt.begin());
    if (shared > best_shared) {
      best = i;
      best_shared = shared;
    }
    if (lanes_[i].used < lanes_[oldest].used) oldest = i;
  }
  // The last token is always computed: its outcome is the first of the answer.
  std::size_t shared = whole_chunks(std::min(best_shared, prompt.empty() ? 0 : prompt.size() - 1));
  if (shared == 0 || (best_shared * 2 < lanes_[best].tokens.size() && best != oldest)) {
    best = oldest;
    shared = 0;
  }
  lanes_[best].used = ++uses_;
  return {static_cast<int>(best), shared};
}

void PrefixLanes::keep(int lane, std::span<const TokenId> prompt, std::size_t computed) {
  const auto whole = prompt.first(whole_chunks(std::min(computed, prompt.size())));
  lanes_[static_cast<std::size_t>(lane)].tokens.assign(whole.begin(), whole.end());
}

}  // namespace signalbox

// The decision cache of a profile, with all it needs.
#pragma once

#include <memory>

#include "cache/decision_cache.h"
#include "signalbox/profile.h"

namespace signalbox {

struct OpenCache {
  std::string default_words;  // the file used where the profile names none
  bool has_llm = false;       // models are dear: the nearest refused message is told
  std::shared_ptr<const Clock> clock;
};

// Null when the profile switches it off. InvalidInput when the file of words or the Redis address is
// wrong; a missing shipped file or encoder only leaves the exact cache. Redis is not asked for here: a
// server that is down is met when the first message comes.
Result<std::shared_ptr<DecisionCache>> open_cache(const Profile& profile, const OpenCache& with);

}  // namespace signalbox

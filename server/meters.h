// What is counted about decisions: by profile, route, tier, who decided, step and contract rule.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/metrics.h"
#include "signalbox/decision.h"
#include "signalbox/profile.h"

namespace signalbox {

// The meters of one profile. Thread-safe; a series is registered when it is first needed.
class DecisionMeters {
 public:
  DecisionMeters(Metrics& metrics, const Profile& profile);
  void count(const Decision& decision);

 private:
  Metrics::Id decision_id(const Decision& decision);

  Metrics& metrics_;
  std::string profile_;
  std::unordered_map<std::string, std::size_t> routes_;  // row in ids_; the last row is "none"
  std::vector<std::atomic<Metrics::Id>> ids_;            // [route][tier][decided_by]
  std::unordered_map<std::string, Metrics::Id> steps_;
  std::unordered_map<std::string, Metrics::Id> rules_;
  Metrics::Id whole_ = Metrics::kNone;
  Metrics::Id llm_calls_ = Metrics::kNone;
  std::unordered_map<std::string, Metrics::Id> arms_;  // of a trial, by the signal that names them
};

}  // namespace signalbox

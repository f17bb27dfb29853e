// A profile made ready to run: its matcher, and every condition compiled.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fastpath/condition.h"
#include "signalbox/profile.h"

namespace signalbox {

struct CompiledRule {
  const Rule* rule = nullptr;
  CompiledCondition when;
};

// Immutable after compile_profile(), thread-safe.
struct CompiledProfile {
  std::shared_ptr<const Profile> profile;
  ProfileMatcher matcher;
  std::vector<CompiledRule> always_rules;  // by priority
  std::vector<CompiledRule> fast_rules;    // by priority
  std::vector<CompiledRule> overrides;
  std::vector<CompiledRule> supervisor;
  std::vector<CompiledCondition> text_probes;  // beside profile->probes.text
  std::vector<CompiledCondition> heuristic;    // beside profile->heuristic.scores
  std::vector<CompiledCondition> contract;     // beside profile->contract
  std::optional<CompiledCondition> app_ends;   // profile->session.app_ends
};

Result<CompiledProfile> compile_profile(std::shared_ptr<const Profile> profile);

}  // namespace signalbox

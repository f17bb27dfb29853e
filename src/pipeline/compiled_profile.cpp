#include "pipeline/compiled_profile.h"

namespace signalbox {

Result<CompiledProfile> compile_profile(std::shared_ptr<const Profile> profile) {
  CompiledProfile out;
  out.profile = std::move(profile);
  const Profile& p = *out.profile;
  auto matcher = ProfileMatcher::compile(p);
  if (!matcher) return tl::unexpected(matcher.error());
  out.matcher = *std::move(matcher);
  const auto compile = [&](const Condition& condition) {
    return CompiledCondition(condition, p, out.matcher);
  };
  for (const Rule& rule : p.rules) {
    auto& stage = rule.stage == RuleStage::Always ? out.always_rules : out.fast_rules;
    stage.push_back({&rule, compile(rule.when)});
  }
  for (const Rule& rule : p.overrides) out.overrides.push_back({&rule, compile(rule.when)});
  for (const Rule& rule : p.supervisor.rules) out.supervisor.push_back({&rule, compile(rule.when)});
  for (const TextProbe& probe : p.probes.text) out.text_probes.push_back(compile(probe.when));
  for (const HeuristicScore& score : p.heuristic.scores) out.heuristic.push_back(compile(score.when));
  for (const ContractRule& rule : p.contract) out.contract.push_back(compile(rule.when));
  if (p.session.app_ends) out.app_ends = compile(*p.session.app_ends);
  return out;
}

}  // namespace signalbox

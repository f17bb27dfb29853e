#include "record/contract.h"

#include <algorithm>

#include "probe/probes.h"

namespace signalbox {
namespace {

bool in_allowlist(const Decision& decision, const Allowlist& allowlist) {
  const auto has_column = [&](const std::string& column) {
    return std::any_of(allowlist.begin(), allowlist.end(), [&](const auto& table) {
      return std::find(table.second.begin(), table.second.end(), column) != table.second.end();
    });
  };
  return std::all_of(decision.tables.begin(), decision.tables.end(),
                     [&](const std::string& table) { return allowlist.contains(table); }) &&
         std::all_of(decision.columns.begin(), decision.columns.end(), has_column);
}

// The slot the contract wants for this route; a child may be named or inherit its parent's.
bool slot_fits(const Facts& facts, const std::map<std::string, std::string>& slots) {
  if (!facts.decision.route) return true;
  for (const Route* route = facts.profile.find_route(*facts.decision.route); route;
       route = facts.profile.find_route(route->parent)) {
    const auto wanted = slots.find(route->name);
    if (wanted != slots.end()) return wanted->second == facts.decision.model.slot;
  }
  return true;
}

bool keeps(const ContractThen& then, const Facts& facts, const ContractFacts& extra) {
  const Decision& decision = facts.decision;
  const auto route_is = [&](const std::string& name) {
    return decision.route && facts.profile.is_a(*decision.route, name);
  };
  if (!then.route.empty() && !route_is(then.route)) return false;
  if (!then.not_route.empty() && route_is(then.not_route)) return false;
  if (then.retrieval && decision.retrieval != *then.retrieval) return false;
  if (!then.slot.empty() && decision.model.slot != then.slot) return false;
  if (!slot_fits(facts, then.slots)) return false;
  if (!then.target_kind.empty() && decision.target.kind != then.target_kind) return false;
  if (then.max_llm_calls && decision.llm_calls > *then.max_llm_calls) return false;
  if (then.max_history && extra.classifier_history > static_cast<std::size_t>(*then.max_history))
    return false;
  if (then.no_tool_calls && decision.plan && !decision.plan->tool_calls.empty()) return false;
  if (!then.ask.empty() && (!decision.ask || decision.ask->kind != then.ask)) return false;
  if (then.tables_in_allowlist && !in_allowlist(decision, allowlist_of(facts.profile, facts.request)))
    return false;
  return !(then.stateless && extra.mirrors_history);
}

}  // namespace

std::vector<std::string> broken_rules(const Facts& facts, std::span<const CompiledCondition> conditions,
                                      const ContractFacts& extra) {
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < facts.profile.contract.size(); ++i) {
    const ContractRule& rule = facts.profile.contract[i];
    if (conditions[i].holds(facts) && !keeps(rule.then, facts, extra)) broken.push_back(rule.id);
  }
  return broken;
}

}  // namespace signalbox

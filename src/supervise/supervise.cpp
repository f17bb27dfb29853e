// Step 10 and the overrides before it: the profile's rules over a decision and its evidence.

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/turn.h"

namespace signalbox {

void apply_overrides(Turn& turn, Step& step) {
  for (const CompiledRule& compiled : turn.compiled.overrides) {
    const Rule& rule = *compiled.rule;
    if (turn.decision.route == rule.route || !compiled.when.holds(turn.facts())) continue;
    step.note(fmt::format("override {}: {} -> {}", rule.id, turn.decision.route.value_or("none"),
                          rule.route));
    for (const std::string& signal : rule.signals) turn.decision.add_signal(signal);
    turn.decision.route = rule.route;
    turn.decision.confidence = std::max(turn.decision.confidence, rule.confidence);
    turn.decision.rule = rule.id;
    if (!rule.reason.empty()) turn.decision.reason = rule.reason;
    return;
  }
}

void supervise(Turn& turn, Step& step) {
  for (const CompiledRule& compiled : turn.compiled.supervisor) {
    const Rule& rule = *compiled.rule;
    if (turn.decision.route == rule.route || !compiled.when.holds(turn.facts())) continue;
    Decision& decision = turn.decision;
    decision.supervisor = {true, decision.route.value_or(""), rule.id};
    step.note(fmt::format("{}: {} -> {}", rule.id, decision.route.value_or("none"), rule.route));
    if (!turn.profile().supervisor.signal.empty())
      decision.add_signal(turn.profile().supervisor.signal);
    for (const std::string& signal : rule.signals) decision.add_signal(signal);
    decision.route = rule.route;
    decision.confidence = rule.confidence;
    decision.rule = rule.id;
    decision.reason = rule.reason.empty() ? "corrected by " + rule.id : rule.reason;
    return;
  }
  step.note("agrees");
}

}  // namespace signalbox

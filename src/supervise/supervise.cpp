// Step 10 and the overrides before it: the profile's rules over a decision and its evidence.

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/turn.h"
#include "probe/probes.h"

namespace signalbox {
namespace {

const CompiledRule* first_that_holds(const Turn& turn, std::span<const CompiledRule> rules) {
  const Facts facts = turn.facts();
  for (const CompiledRule& compiled : rules) {
    if (turn.decision.route != compiled.rule->route && compiled.when.holds(facts)) return &compiled;
  }
  return nullptr;
}

// Whether what retrieval finds could change which rule corrects: only then is it worth waiting for.
bool retrieval_matters(Turn& turn) {
  Decision& decision = turn.decision;
  const auto signals = decision.signals;
  const CompiledRule* unknown = first_that_holds(turn, turn.compiled.supervisor);
  decision.evidence["retrieval"] = Presence::Absent;
  const bool differs_absent = first_that_holds(turn, turn.compiled.supervisor) != unknown;
  decision.evidence["retrieval"] = Presence::Present;
  decision.add_signal("rag_probe_hit");
  const bool differs_present = first_that_holds(turn, turn.compiled.supervisor) != unknown;
  decision.signals = signals;
  decision.evidence["retrieval"] = Presence::Unknown;
  return differs_absent || differs_present;
}

}  // namespace

void apply_overrides(Turn& turn, Step& step) {
  const CompiledRule* compiled = first_that_holds(turn, turn.compiled.overrides);
  if (!compiled) return;
  const Rule& rule = *compiled->rule;
  Decision& decision = turn.decision;
  step.note(fmt::format("override {}: {} -> {}", rule.id, decision.route.value_or("none"), rule.route));
  for (const std::string& signal : rule.signals) decision.add_signal(signal);
  decision.route = rule.route;
  decision.confidence = std::max(decision.confidence, rule.confidence);
  decision.rule = rule.id;
  if (!rule.reason.empty()) decision.reason = rule.reason;
}

void supervise(Turn& turn, std::optional<RetrievalRun>& run, Step& step) {
  Decision& decision = turn.decision;
  if (run && retrieval_matters(turn)) {
    step.note(take_retrieval(run->wait(), decision));
  } else if (run) {
    step.note("retrieval not needed");
  }
  const CompiledRule* compiled = first_that_holds(turn, turn.compiled.supervisor);
  if (!compiled) {
    step.note("agrees");
    return;
  }
  const Rule& rule = *compiled->rule;
  decision.supervisor = {true, decision.route.value_or(""), rule.id};
  step.note(fmt::format("{}: {} {:.2f} -> {} {:.2f}", rule.id, decision.route.value_or("none"),
                        decision.confidence, rule.route, rule.confidence));
  if (!turn.profile().supervisor.signal.empty()) decision.add_signal(turn.profile().supervisor.signal);
  for (const std::string& signal : rule.signals) decision.add_signal(signal);
  decision.route = rule.route;
  decision.confidence = rule.confidence;
  decision.rule = rule.id;
  decision.reason = rule.reason.empty() ? "corrected by " + rule.id : rule.reason;
}

}  // namespace signalbox

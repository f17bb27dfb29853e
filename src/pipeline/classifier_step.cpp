// Step 9: the LLM's classification, and what of it enters the decision.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/utf8.h"
#include "llm/classifier.h"
#include "pipeline/turn.h"

namespace signalbox {
namespace {

std::string dominant_type(const Request& request) {
  std::map<std::string, int> counts;
  for (const PastIntent& past : request.intent_history) ++counts[past.type];
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

bool is_stateless(const Profile& profile) {
  return std::any_of(profile.contract.begin(), profile.contract.end(),
                     [](const ContractRule& rule) { return rule.then.stateless; });
}

// RC-03: a class that comes from the history alone is a breach. Sampled, because it costs a call.
void check_mirroring(Turn& turn, const Classifier& classifier, PromptInputs inputs, double sample,
                     Step& step) {
  if (inputs.history == 0 || !is_stateless(turn.profile())) return;
  if (turn.decision.resolved_query != turn.decision.query || turn.deadline.passed()) return;
  const double draw = static_cast<double>(hash_text(turn.decision.query) % 10'000) / 10'000;
  if (draw >= sample || *turn.decision.route != dominant_type(turn.request)) return;
  inputs.history = 0;
  const Classification alone = classifier.ask_once(inputs, turn.deadline);
  turn.decision.llm_calls += alone.calls;
  turn.contract.mirrors_history = alone.answer && alone.answer->route != *turn.decision.route;
  step.note("asked again without history: " + alone.notes.front());
}

void merge_unique(std::vector<std::string>& into, const std::vector<std::string>& from) {
  for (const std::string& item : from) {
    if (std::find(into.begin(), into.end(), item) == into.end()) into.push_back(item);
  }
}

// What the model names is believed only where the allowlist has it.
void take_named(Turn& turn, const ClassifierAnswer& answer) {
  const auto& allowlist = turn.request.allowlist;
  std::vector<std::string> tables;
  std::vector<std::string> columns;
  for (const std::string& table : answer.tables) {
    if (allowlist.contains(table)) tables.push_back(table);
  }
  for (const std::string& column : answer.columns) {
    const bool known = std::any_of(allowlist.begin(), allowlist.end(), [&](const auto& entry) {
      return std::find(entry.second.begin(), entry.second.end(), column) != entry.second.end();
    });
    if (known) columns.push_back(column);
  }
  merge_unique(turn.decision.tables, tables);
  merge_unique(turn.decision.columns, columns);
  for (const std::string& signal : answer.signals) turn.decision.add_signal(signal);
}

}  // namespace

bool try_llm(Turn& turn, const Classifier* classifier, double contract_sample, Step& step) {
  const Profile& profile = turn.profile();
  if (profile.mode == Mode::Local || profile.classifier.prompt.empty()) {
    step.note("the profile asks no LLM");
    return false;
  }
  if (!classifier) {
    step.note("no LLM configured");
    return false;
  }
  if (turn.deadline.passed()) {
    step.note("no time left to ask the LLM");
    turn.decision.add_signal("llm_timeout");
    return false;
  }
  const std::string evidence = evidence_block(turn.decision, turn.request);
  const PromptInputs inputs{turn.request,
                            turn.decision.resolved_query,
                            visible_history(profile, turn.request, turn.refers),
                            turn.relevant,
                            evidence,
                            {}};
  if (count_code_points(inputs.query) > kMaxPromptQuery)
    step.note(fmt::format("the LLM sees the first {} characters", kMaxPromptQuery));
  turn.contract.classifier_history = inputs.history;
  Classification found = classifier->classify(inputs, turn.deadline);
  turn.decision.llm_calls += found.calls;
  for (std::string& note : found.notes) step.note(std::move(note));
  for (const std::string& signal : found.signals) turn.decision.add_signal(signal);
  if (!found.answer) return false;
  const ClassifierAnswer& answer = *found.answer;
  turn.decide(found.is_by_ensemble ? DecidedBy::Ensemble : DecidedBy::Llm, answer.route,
              answer.confidence, answer.reason.empty() ? "the LLM's answer" : answer.reason);
  take_named(turn, answer);
  check_mirroring(turn, *classifier, inputs, contract_sample, step);
  fill_alternatives(turn);
  return true;
}

}  // namespace signalbox

// Steps 8 and 9: gatekeeper, classifier and heuristic.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "gate/heuristic.h"
#include "llm/classifier.h"
#include "llm/llm_client.h"
#include "pipeline/turn.h"
#include "probe/probes.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxAlternatives = 3;

void fill_alternatives(Turn& turn) {
  if (!turn.gate) return;
  turn.decision.alternatives.clear();
  for (const RouteScore& score : turn.gate->scores) {
    if (turn.decision.route && score.route == *turn.decision.route) continue;
    if (turn.decision.alternatives.size() == kMaxAlternatives || score.probability < 0.005F) break;
    turn.decision.alternatives.push_back({score.route, score.probability});
  }
}

bool is_multi_intent(Turn& turn) {
  std::set<std::string> routes;
  for (const IntentPart& part : turn.gate->intents) {
    if (part.probability <= turn.profile().thresholds.multi_intent) return false;
    routes.insert(part.route);
  }
  return routes.size() > 1;
}

std::string evidence_block(const Decision& decision) {
  std::string out;
  for (const std::string& signal : decision.signals) out += fmt::format("- {}\n", signal);
  return out.empty() ? "(none)\n" : out;
}

std::string dominant_type(const Request& request) {
  std::map<std::string, int> counts;
  for (const PastIntent& past : request.intent_history) ++counts[past.type];
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

Result<ClassifierAnswer> ask_llm(Turn& turn, LlmClient& llm, std::size_t history) {
  const Profile& profile = turn.profile();
  const std::string slot = profile.slots.contains("classifier") ? "classifier" : "main";
  LlmRequest request;
  request.slot = slot;
  request.budget = turn.deadline.left();
  request.messages.push_back({"user",
                              classifier_prompt(profile, turn.request, turn.decision.resolved_query,
                                                history, evidence_block(turn.decision)),
                              {},
                              {},
                              {}});
  auto answer = llm.complete(request);
  if (!answer) return tl::unexpected(answer.error());
  return read_classifier_answer(profile, answer->text);
}

// RC-03: a class that comes from the history alone is a breach. Sampled, because it costs a call.
void check_mirroring(Turn& turn, LlmClient& llm, std::size_t history, double sample) {
  if (history == 0 || turn.decision.resolved_query != turn.decision.query) return;
  const double draw = static_cast<double>(hash_text(turn.decision.query) % 10'000) / 10'000;
  if (draw >= sample || *turn.decision.route != dominant_type(turn.request)) return;
  const auto alone = ask_llm(turn, llm, 0);
  turn.contract.mirrors_history = alone && alone->route != *turn.decision.route;
}

void merge_unique(std::vector<std::string>& into, const std::vector<std::string>& from) {
  for (const std::string& item : from) {
    if (std::find(into.begin(), into.end(), item) == into.end()) into.push_back(item);
  }
}

// What the model names is believed only where the allowlist has it.
void take_named(Turn& turn, const ClassifierAnswer& answer) {
  const auto& allowlist = allowlist_of(turn.profile(), turn.request);
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

bool try_gatekeeper(Turn& turn, const TieredGate* gate, Step& step) {
  if (!gate) {
    step.note("no model");
    return false;
  }
  const Profile& profile = turn.profile();
  GateAnswer answer = gate->predict(turn.decision.resolved_query);
  turn.gate = std::move(answer.prediction);
  const GatePrediction& found = *turn.gate;
  if (found.note.words_used < found.note.words) {
    step.note(fmt::format("read {} of {} words in {} windows", found.note.words_used, found.note.words,
                          found.note.windows));
  }
  for (const IntentPart& part : found.intents) {
    if (found.intents.size() > 1)
      turn.decision.intents.push_back({part.route, part.probability, part.text});
  }
  if (profile.ask.multi_intent && is_multi_intent(turn)) {
    turn.decision.tier = Tier::MultiIntent;
    turn.decision.decided_by = DecidedBy::Gatekeeper;
    turn.decision.reason = fmt::format("{} intents in one message", found.intents.size());
    turn.decision.confidence = 1;
    for (const IntentPart& part : found.intents) {
      turn.decision.confidence = std::min<double>(turn.decision.confidence, part.probability);
    }
    step.note(turn.decision.reason);
    return true;
  }
  const RouteScore best = found.scores.empty() ? RouteScore{} : found.scores.front();
  if (found.out_of_scope > best.probability) {
    step.note(fmt::format("out of scope {:.2f}", found.out_of_scope));
    if (!profile.gatekeeper.oos_signal.empty() && found.out_of_scope > profile.thresholds.confirm) {
      turn.decision.add_signal(profile.gatekeeper.oos_signal);
    }
    return false;
  }
  step.note(fmt::format("{} {:.3f}{}", best.route, best.probability,
                        answer.by_second     ? " by the second encoder"
                        : found.used_encoder ? ""
                                             : " by n-grams alone"));
  if (best.probability <= profile.gatekeeper.accept) return false;
  turn.decide(DecidedBy::Gatekeeper, best.route, best.probability, "the gatekeeper is sure");
  fill_alternatives(turn);
  return true;
}

bool try_llm(Turn& turn, LlmClient* llm, double contract_sample, Step& step) {
  const Profile& profile = turn.profile();
  if (profile.mode == Mode::Local || profile.classifier.prompt.empty()) {
    step.note("the profile asks no LLM");
    return false;
  }
  if (!llm) {
    step.note("no LLM configured");
    return false;
  }
  if (turn.deadline.passed()) {
    step.note("out of time");
    return false;
  }
  const std::size_t history = visible_history(profile, turn.request, turn.refers);
  turn.contract.classifier_history = history;
  ++turn.decision.llm_calls;
  auto answer = ask_llm(turn, *llm, history);
  if (!answer) {
    step.note(fmt::format("LLM failed: {}", answer.error().message));
    turn.decision.add_signal(answer.error().code == ErrorCode::Upstream ? "llm_unparsable"
                                                                        : "llm_unavailable");
    return false;
  }
  turn.decide(DecidedBy::Llm, answer->route, answer->confidence,
              answer->reason.empty() ? "the LLM's answer" : answer->reason);
  take_named(turn, *answer);
  step.note(fmt::format("LLM {} {:.2f}", answer->route, answer->confidence));
  check_mirroring(turn, *llm, history, contract_sample);
  fill_alternatives(turn);
  return true;
}

void decide_without_model(Turn& turn, Step& step) {
  const Profile& profile = turn.profile();
  const RouteScore guess =
      turn.gate && !turn.gate->scores.empty() ? turn.gate->scores.front() : RouteScore{};
  const double out_of_scope = turn.gate ? turn.gate->out_of_scope : 0;
  HeuristicVerdict verdict = apply_heuristic(profile.heuristic, turn.compiled.heuristic, turn.facts());
  for (const std::string& signal : verdict.signals) turn.decision.add_signal(signal);

  if (guess.probability >= profile.thresholds.confirm && guess.probability > out_of_scope) {
    turn.decide(DecidedBy::Gatekeeper, guess.route, guess.probability,
                "the gatekeeper's likely answer");
  } else if (!verdict.route.empty() && verdict.score >= profile.heuristic.floor) {
    turn.decide(DecidedBy::Heuristic, verdict.route, verdict.score, "the heuristic's weights");
    turn.decision.alternatives = std::move(verdict.others);
  } else if (guess.probability >= profile.thresholds.guess && guess.probability > out_of_scope) {
    turn.decide(DecidedBy::Gatekeeper, guess.route, guess.probability, "the gatekeeper's best guess");
  } else {
    const bool is_out = out_of_scope > guess.probability && !profile.gatekeeper.oos_route.empty();
    const std::string& route = is_out                            ? profile.gatekeeper.oos_route
                               : profile.heuristic.below.empty() ? profile.fallback
                                                                 : profile.heuristic.below;
    turn.decision.decided_by = DecidedBy::Fallback;
    turn.decision.confidence = std::max<double>(guess.probability, verdict.score);
    turn.decision.reason = out_of_scope > guess.probability ? "out of scope" : "nothing is sure enough";
    if (!route.empty()) turn.decision.route = route;
  }
  fill_alternatives(turn);
  step.note(fmt::format("{} {} {:.2f}", decided_by_name(turn.decision.decided_by),
                        turn.decision.route.value_or("none"), turn.decision.confidence));
}

}  // namespace signalbox

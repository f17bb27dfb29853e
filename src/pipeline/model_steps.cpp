// Step 8, the gatekeeper, and what step 9 falls back on: its likely answer, the heuristic.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gate/heuristic.h"
#include "pipeline/turn.h"
#include "probe/probes.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxAlternatives = 3;

bool is_multi_intent(Turn& turn) {
  std::set<std::string> routes;
  for (const IntentPart& part : turn.gate->intents) {
    if (part.probability <= turn.profile().thresholds.multi_intent) return false;
    // What was put in for "it" is no wish of this message.
    if (turn.refers && turn.decision.query.find(part.text) == std::string::npos) return false;
    routes.insert(part.route);
  }
  return routes.size() > 1;
}

}  // namespace

void fill_alternatives(Turn& turn) {
  if (!turn.gate) return;
  turn.decision.alternatives.clear();
  for (const RouteScore& score : turn.gate->scores) {
    if (turn.decision.route && score.route == *turn.decision.route) continue;
    if (turn.decision.alternatives.size() == kMaxAlternatives || score.probability < 0.005F) break;
    turn.decision.alternatives.push_back({score.route, score.probability});
  }
}

namespace {

// What the gatekeeper says; with a challenger on trial, what the arm of the session says. The signals
// tell the arm and whether the other one agrees.
GateAnswer ask_gate(Turn& turn, const TieredGate& gate, Step& step) {
  const std::string& text = turn.decision.resolved_query;
  if (!gate.has_challenger()) return gate.predict(text);
  GateTrial trial = gate.try_both(text, turn.request.session_id);
  const auto& scores = trial.answer.prediction.scores;
  const bool agrees = !scores.empty() && scores.front().route == trial.other;
  turn.decision.add_signal(trial.is_challenger ? "arm:challenger" : "arm:champion");
  turn.decision.add_signal("shadow:" + (trial.other.empty() ? "oos" : trial.other));
  step.note(fmt::format("{} decides, the other {}", trial.is_challenger ? "challenger" : "champion",
                        agrees ? "agrees" : "says " + (trial.other.empty() ? "oos" : trial.other)));
  return std::move(trial.answer);
}

}  // namespace

bool try_gatekeeper(Turn& turn, const TieredGate* gate, Step& step) {
  if (!gate) {
    step.note("no model");
    return false;
  }
  const Profile& profile = turn.profile();
  GateAnswer answer = ask_gate(turn, *gate, step);
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

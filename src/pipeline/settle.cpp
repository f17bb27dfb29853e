// What follows from a route: its tier, its question, its model, its target, whether it retrieves.

#include <fmt/format.h>

#include <algorithm>

#include "llm/slots.h"
#include "pipeline/turn.h"

namespace signalbox {
namespace {

Tier tier_of(double confidence, const Thresholds& thresholds) {
  if (confidence > thresholds.clear) return Tier::Clear;
  return confidence >= thresholds.confirm ? Tier::Confirm : Tier::Clarify;
}

// What people call a route, in the message's language where the profile says.
std::string label_of(const Turn& turn, const std::string& option) {
  const Route* route = turn.profile().find_route(option);
  if (!route || route->labels.empty()) return option;
  auto label = route->labels.find(turn.decision.language);
  if (label == route->labels.end()) label = route->labels.find("en");
  return label == route->labels.end() ? route->labels.begin()->second : label->second;
}

std::string ask_text(const Turn& turn, const std::string& kind,
                     const std::vector<std::string>& options) {
  std::string text;
  const auto texts = turn.profile().ask.texts.find(kind);
  if (texts != turn.profile().ask.texts.end()) {
    auto found = texts->second.find(turn.decision.language);
    if (found == texts->second.end()) found = texts->second.find("en");
    if (found == texts->second.end()) found = texts->second.begin();
    if (found != texts->second.end()) text = found->second;
  }
  // Numbered, so that they can be answered by number.
  std::vector<std::string> labels;
  for (const std::string& option : options) {
    labels.push_back(options.size() > 1
                         ? fmt::format("({}) {}", labels.size() + 1, label_of(turn, option))
                         : label_of(turn, option));
  }
  const std::string list = fmt::format("{}", fmt::join(labels, ", "));
  if (const std::size_t at = text.find("{options}"); at != std::string::npos) text.replace(at, 9, list);
  return text;
}

void ask(Turn& turn, const std::string& kind, const std::string& text_kind,
         std::vector<std::string> options) {
  std::string text = ask_text(turn, text_kind, options);
  turn.decision.ask = Ask{kind, std::move(text), std::move(options)};
}

void settle_tier(Turn& turn) {
  Decision& decision = turn.decision;
  const AskPolicy& policy = turn.profile().ask;
  std::vector<std::string> options;
  if (decision.tier == Tier::MultiIntent) {
    for (const Intent& intent : decision.intents) {
      options.push_back(intent.text == decision.query ? intent.route : intent.text);
    }
    decision.route.reset();
    return ask(turn, "choose", "multi_intent", std::move(options));
  }
  const bool is_asked_by_rule = decision.decided_by == DecidedBy::FastPath && !decision.route;
  decision.tier = is_asked_by_rule || (decision.decided_by == DecidedBy::Fallback && !decision.route)
                      ? Tier::Clarify
                      : tier_of(decision.confidence, turn.profile().thresholds);
  if (decision.route) options.push_back(*decision.route);
  for (const Alternative& other : decision.alternatives) options.push_back(other.route);
  if (decision.tier == Tier::Confirm && policy.confirm)
    return ask(turn, "confirm", "confirm", std::move(options));
  if (decision.tier == Tier::Clarify && (policy.clarify || is_asked_by_rule)) {
    decision.route.reset();
    // What a rule found missing is asked for in the rule's own words, where the profile has some.
    const bool has_own = is_asked_by_rule && policy.texts.contains(decision.rule);
    const std::string open =
        options.empty() && policy.texts.contains("clarify_open") ? "clarify_open" : "clarify";
    ask(turn, "clarify", has_own ? decision.rule : open, std::move(options));
  }
}

Target target_of(const Turn& turn, const Route& route) {
  Target target = turn.target.value_or(route.target);
  if (target.name == "active") {
    if (turn.request.active_app.empty()) {
      return route.idle_target.value_or(Target{"assistant", "assistant"});
    }
    target.name = turn.request.active_app;
  } else if (target.name == "triggered") {
    const TriggerHit hit = turn.compiled.matcher.trigger(turn.text, turn.findings);
    if (hit.confidence >= kTriggerFires) target.name = turn.profile().apps[hit.app].name;
  }
  if (target.name.empty()) target.name = target.kind == "assistant" ? "assistant" : route.name;
  return target;
}

}  // namespace

void settle(Turn& turn) {
  settle_tier(turn);
  Decision& decision = turn.decision;
  if (!decision.route) return;
  const Route* route = turn.profile().find_route(*decision.route);
  if (!route) return;
  decision.retrieval = route->retrieval;
  decision.model = turn.kept_model ? *turn.kept_model
                                   : ModelChoice{route->slot, slot_model(turn.profile(), route->slot)};
  decision.target = target_of(turn, *route);
}

}  // namespace signalbox

// Steps 3 and 4: what the caller declared, what the conversation waits for, and the rules.

#include <fmt/format.h>

#include <algorithm>

#include "context/awaited.h"
#include "pipeline/intent_parts.h"
#include "pipeline/turn.h"
#include "profile/diagnostics.h"

namespace signalbox {
namespace {

void take_rule(Turn& turn, const Rule& rule, Step& step) {
  for (const std::string& signal : rule.signals) turn.decision.add_signal(signal);
  if (rule.tier) {
    Decision& decision = turn.decision;
    decision.tier = *rule.tier;
    decision.decided_by = DecidedBy::FastPath;
    decision.confidence = rule.tier == Tier::MultiIntent ? rule.confidence : 0;
    decision.rule = rule.id;
    decision.reason = rule.reason.empty() ? rule.id : rule.reason;
    if (rule.tier == Tier::Clarify) {  // what may be meant: options of the question
      for (const std::string& route : rule.intents) decision.alternatives.push_back({route, 0});
    } else {
      const std::vector<std::string> parts = intent_parts(turn, rule);
      for (std::size_t i = 0; i < rule.intents.size(); ++i) {
        decision.intents.push_back({rule.intents[i], rule.confidence,
                                    parts.size() == rule.intents.size() ? parts[i] : decision.query});
      }
    }
    step.note(fmt::format("{} -> {}", rule.id, tier_name(*rule.tier)));
    return;
  }
  if (rule.route.empty()) {
    step.note(rule.id + " signals " + fmt::format("{}", fmt::join(rule.signals, ", ")));
    return;
  }
  turn.decide(DecidedBy::FastPath, rule.route, rule.confidence,
              rule.reason.empty() ? rule.id : rule.reason, rule.id);
  if (rule.target) turn.target = rule.target;
  step.note(fmt::format("{} -> {}", rule.id, rule.route));
}

}  // namespace

void Turn::decide(DecidedBy by, const std::string& route, double confidence, std::string reason,
                  std::string rule) {
  decision.route = route;
  decision.confidence = confidence;
  decision.decided_by = by;
  decision.reason = std::move(reason);
  decision.rule = std::move(rule);
}

bool try_rules(Turn& turn, std::span<const CompiledRule> rules, Step& step) {
  for (const CompiledRule& compiled : rules) {
    if (!compiled.when.holds(turn.facts())) continue;
    take_rule(turn, *compiled.rule, step);
    if (!compiled.rule->route.empty() || compiled.rule->tier) return true;
  }
  return false;
}

Result<bool> try_declared(Turn& turn, Step& step) {
  const std::string& name = turn.request.route;
  if (name.empty()) return false;
  if (!turn.profile().find_route(name)) {
    std::vector<std::string> known;
    for (const Route& route : turn.profile().routes) known.push_back(route.name);
    const std::string meant = closest_name(name, known);
    return fail(ErrorCode::InvalidInput,
                fmt::format("route: unknown route '{}' in profile {}{}", name, turn.profile().name,
                            meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant)));
  }
  turn.decide(DecidedBy::Declared, name, 1, "declared by the caller");
  step.note("declared " + name);
  return true;
}

void Turn::continue_with(std::string words) {
  auto other = normalize(words);
  if (!other) return;
  text = *std::move(other);
  findings = {};
  compiled.matcher.find(text, findings);
  compiled.matcher.find_attachments(request.attachments, findings);
  decision.resolved_query = std::move(words);
}

namespace {

// Where nothing is bound to a no, it leaves the route open: "cancel that" is no wish of its own.
bool decline(Turn& turn, Step& step) {
  const Profile& profile = turn.profile();
  turn.decision.add_signal("awaiting_declined");
  const std::string& route = profile.awaiting_route.empty() ? profile.fallback : profile.awaiting_route;
  turn.decide(DecidedBy::Awaiting, route, route.empty() ? 0 : 1, "declined what was asked");
  if (route.empty()) turn.decision.route.reset();
  step.note("declined -> " + (route.empty() ? "none" : route));
  return true;
}

// An answer continues the request that made us ask: "yes" is no query.
std::string continued_query(const Awaiting& awaiting, const AwaitedAnswer& answer,
                            const std::string& said) {
  if (awaiting.query.empty()) return said;
  return answer.kind == AwaitedAnswer::Kind::Value ? awaiting.query + " " + said : awaiting.query;
}

// A message that is a wish of its own answers nothing: "delete it", "show me all customers". A missing
// value may sound like one ("Call Ana"), so there it needs some words.
constexpr std::size_t kWishWords = 4;

bool is_wish(const Turn& turn, std::size_t words) {
  const auto decides = [&](const CompiledRule& rule) {
    return !rule.rule->route.empty() && rule.when.holds(turn.facts());
  };
  return turn.text.tokens.size() >= words &&
         std::any_of(turn.compiled.fast_rules.begin(), turn.compiled.fast_rules.end(), decides);
}

}  // namespace

bool try_awaited(Turn& turn, Step& step) {
  if (!turn.request.awaiting) {
    step.note("nothing awaited");
    return false;
  }
  const Awaiting& awaiting = *turn.request.awaiting;
  const Profile& profile = turn.profile();
  const auto answer = read_awaited(awaiting, turn.text, profile, turn.compiled.matcher, turn.findings);
  if (!answer) {
    step.note("no answer to what is awaited");
    return false;
  }
  if (answer->kind == AwaitedAnswer::Kind::No) return decline(turn, step);
  std::string route = profile.awaiting_route;
  if (profile.find_route(answer->option))
    route = answer->option;
  else if ((answer->kind != AwaitedAnswer::Kind::Option || !awaiting.pending.empty()) &&
           profile.find_route(awaiting.route))
    route = awaiting.route;
  const bool is_value = answer->kind == AwaitedAnswer::Kind::Value && !awaiting.query.empty();
  if (is_value && (route.empty() || !awaiting.pending.empty()) &&
      is_wish(turn, route.empty() ? 1 : kWishWords)) {
    step.note("a wish of its own");
    return false;
  }
  if (route.empty() && is_value) {
    turn.decision.add_signal("awaiting_answered");
    turn.continue_with(awaiting.query + " " + turn.decision.query);
    step.note("answered: goes on with what was missing");
    return false;
  }
  const bool takes_all = answer->kind == AwaitedAnswer::Kind::All;
  const bool takes_part = takes_all || answer->kind == AwaitedAnswer::Kind::Option;
  if (route.empty() && takes_part && !awaiting.query.empty()) {
    turn.decision.add_signal("awaiting_answered");
    if (takes_all) turn.decision.add_signal("awaiting_all");
    turn.continue_with(answer->option);  // the part of the message that comes first
    step.note("answered: goes on with the part chosen");
    return false;
  }
  if (route.empty()) {
    step.note("answered, but no route is bound to it");
    return false;
  }
  turn.decision.add_signal("awaiting_answered");
  const auto chosen = std::find(awaiting.options.begin(), awaiting.options.end(), answer->option);
  if (answer->kind == AwaitedAnswer::Kind::Option && chosen != awaiting.options.end())
    turn.decision.add_signal(fmt::format("awaiting_option:{}", chosen - awaiting.options.begin() + 1));
  turn.decision.resolved_query = continued_query(awaiting, *answer, turn.decision.query);
  turn.decide(DecidedBy::Awaiting, route, 1, "answers what the conversation waits for");
  step.note("answered -> " + route);
  return true;
}

}  // namespace signalbox

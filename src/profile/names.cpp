#include "profile/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "profile/atom.h"

namespace signalbox {
namespace {

template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& entry : map) keys.push_back(entry.first);
  return keys;
}

class Checker {
 public:
  Checker(const Profile& profile, Diagnostics& out)
      : profile_(profile),
        out_(out),
        lists_(keys_of(profile.words)),
        patterns_(keys_of(profile.patterns)),
        slots_(keys_of(profile.slots)) {
    for (const Route& route : profile.routes) routes_.push_back(route.name);
    for (const App& app : profile.apps) apps_.push_back(app.name);
  }

  void check() {
    routes();
    slots();
    for (const Rule& rule : profile_.rules) check_rule(rule, "rules");
    for (const Rule& rule : profile_.overrides) check_rule(rule, "overrides");
    for (const Rule& rule : profile_.supervisor.rules) check_rule(rule, "supervisor.rules");
    unique_ids(profile_.rules, "rules");
    unique_ids(profile_.overrides, "overrides");
    unique_ids(profile_.supervisor.rules, "supervisor.rules");
    for (const TextProbe& probe : profile_.probes.text)
      condition(probe.when, "probes.text." + probe.name);
    if (profile_.session.app_ends) condition(*profile_.session.app_ends, "session.app_ends");
    for (const HeuristicScore& score : profile_.heuristic.scores) {
      route_name(score.route, score.mark, "heuristic.scores");
      condition(score.when, "heuristic.scores");
    }
    few_shots(profile_.classifier.few_shots, profile_.classifier.mark, "classifier.few_shots");
    for (const PromptVariant& variant : profile_.classifier.variants)
      few_shots(variant.few_shots, variant.mark, "classifier.variants." + variant.name);
    for (const ContractRule& rule : profile_.contract) contract(rule);
    for (const std::string& step : profile_.disabled_steps)
      one_of(step, {}, "steps.disable", "step", step_names());
    for (const auto& [role, list] : profile_.plan.decompose) {
      one_of(list, {}, "plan.decompose." + role, "word list", lists_);
    }
  }

 private:
  void one_of(const std::string& name, SourceMark mark, const std::string& key, std::string_view what,
              const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      out_.unknown(mark, key, what, name, known);
  }
  void few_shots(const std::vector<RouteExample>& shots, SourceMark mark, const std::string& key) {
    for (const RouteExample& shot : shots) {
      if (shot.route != "oos") route_name(shot.route, mark, key);
    }
  }
  void route_name(const std::string& name, SourceMark mark, const std::string& key) {
    one_of(name, mark, key, "route", routes_);
  }

  void routes() {
    if (profile_.routes.empty()) out_.error({1, 1}, "routes", "a profile needs at least one route");
    for (const Route& route : profile_.routes) {
      const std::string key = "routes." + route.name;
      if (!route.parent.empty()) route_name(route.parent, route.mark, key + ".parent");
      if (!route.slot.empty()) one_of(route.slot, route.mark, key + ".slot", "slot", slots_);
      const bool by_context = route.target.name == "active" || route.target.name == "triggered";
      if (route.target.kind == "app" && !by_context)
        one_of(route.target.name, route.mark, key + ".target", "app", apps_);
      if (route.name == "oos" || route.name.find('#') != std::string::npos) {
        out_.error(route.mark, key, "'oos' and names with '#' are taken by labels");
      }
    }
    for (const RouteExample& example : profile_.examples) {
      if (example.route == "oos") continue;
      std::istringstream labels(example.route);
      for (std::string label; std::getline(labels, label, '#');) {
        if (std::find(routes_.begin(), routes_.end(), label) != routes_.end()) continue;
        out_.error(example.mark, "examples",
                   fmt::format("'{}': unknown route '{}'{}", example.text, label, suggestion(label)));
      }
    }
    if (!profile_.fallback.empty()) route_name(profile_.fallback, {}, "fallback");
    if (!profile_.awaiting_route.empty()) route_name(profile_.awaiting_route, {}, "awaiting_route");
    if (!profile_.heuristic.below.empty()) route_name(profile_.heuristic.below, {}, "heuristic.below");
    if (!profile_.gatekeeper.oos_route.empty())
      route_name(profile_.gatekeeper.oos_route, {}, "gatekeeper.oos_route");
  }
  std::string suggestion(const std::string& name) const {
    const std::string meant = closest_name(name, routes_);
    return meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant);
  }

  void slots() {
    for (const auto& [name, slot] : profile_.slots) {
      std::set<std::string> seen{name};
      std::string at = slot.fallback;
      while (!at.empty()) {
        const auto next = profile_.slots.find(at);
        if (next == profile_.slots.end()) {
          out_.unknown(slot.mark, "slots." + name + ".fallback", "slot", at, slots_);
          break;
        }
        if (!seen.insert(at).second) {
          out_.error(slot.mark, "slots." + name + ".fallback", "falls back to itself");
          break;
        }
        at = next->second.fallback;
      }
    }
  }

  void unique_ids(const std::vector<Rule>& rules, const std::string& key) {
    std::set<std::string> seen;
    for (const Rule& rule : rules) {
      if (!seen.insert(rule.id).second)
        out_.error(rule.mark, key + "." + rule.id, "two rules have this id");
    }
  }

  void check_rule(const Rule& rule, const std::string& section) {
    const std::string key = section + "." + rule.id;
    if (!rule.route.empty()) route_name(rule.route, rule.mark, key + ".route");
    for (const std::string& intent : rule.intents) route_name(intent, rule.mark, key + ".intents");
    if (rule.tier == Tier::MultiIntent && rule.intents.size() < 2) {
      out_.error(rule.mark, key + ".intents", "tier multi_intent needs two or more routes");
    }
    if (rule.route.empty() && !rule.tier && (section != "rules" || rule.signals.empty())) {
      out_.error(rule.mark, key, "decides no route and records no signal");
    }
    condition(rule.when, key + ".when");
  }

  void contract(const ContractRule& rule) {
    const std::string key = "contract." + rule.id;
    condition(rule.when, key + ".when");
    if (!rule.then.route.empty()) route_name(rule.then.route, rule.mark, key + ".then.route");
    if (!rule.then.not_route.empty())
      route_name(rule.then.not_route, rule.mark, key + ".then.not_route");
    if (!rule.then.slot.empty()) one_of(rule.then.slot, rule.mark, key + ".then.slot", "slot", slots_);
    if (!rule.prefixes.empty())
      one_of(rule.prefixes, rule.mark, key + ".prefixes", "word list", lists_);
    for (const auto& [route, slot] : rule.then.slots) {
      route_name(route, rule.mark, key + ".then.slots");
      one_of(slot, rule.mark, key + ".then.slots." + route, "slot", slots_);
    }
  }

  void condition(const Condition& condition_tree, const std::string& key) {
    for (const Condition& part : condition_tree.parts) condition(part, key);
    if (condition_tree.kind != Condition::Kind::Atom) return;
    auto atom = parse_atom(condition_tree.atom);
    if (!atom) return out_.error(condition_tree.mark, key, atom.error().message);
    using Kind = Atom::Kind;
    const auto named = [&](std::string_view what, const std::vector<std::string>& known) {
      one_of(atom->name, condition_tree.mark, key, what, known);
    };
    switch (atom->kind) {
      case Kind::Words:
      case Kind::Starts:
      case Kind::Ends:
      case Kind::Only:
        return named("word list", lists_);
      case Kind::Pattern:
        return named("pattern", patterns_);
      case Kind::Route:
        return named("route", routes_);
      case Kind::App:
      case Kind::Trigger:
        return named("app", apps_);
      case Kind::Tier:
        return named("tier", {"clear", "confirm", "clarify", "multi_intent"});
      case Kind::DecidedBy:
        return named("step", {"declared", "awaiting", "fast_path", "cache", "gatekeeper", "llm",
                              "ensemble", "heuristic", "fallback"});
      default:
        return;
    }
  }

  const Profile& profile_;
  Diagnostics& out_;
  std::vector<std::string> lists_;
  std::vector<std::string> patterns_;
  std::vector<std::string> slots_;
  std::vector<std::string> routes_;
  std::vector<std::string> apps_;
};

}  // namespace

const std::vector<std::string>& step_names() {
  static const std::vector<std::string> names{
      "normalize",  "context",    "awaiting",   "fast_path", "references", "cache", "probes",
      "gatekeeper", "classifier", "supervisor", "plan",      "dispatch",   "record"};
  return names;
}

void check_names(const Profile& profile, Diagnostics& out) {
  Checker(profile, out).check();
}

}  // namespace signalbox

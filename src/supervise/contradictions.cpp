#include "supervise/contradictions.h"

#include <algorithm>

#include "pipeline/reachability.h"
#include "profile/atom.h"

namespace signalbox {
namespace {

Condition constant(bool value) {
  Condition always;
  if (value) return always;
  Condition never;
  never.kind = Condition::Kind::None;
  never.parts.push_back(std::move(always));
  return never;
}

Condition atom_of(std::string text) {
  Condition out;
  out.kind = Condition::Kind::Atom;
  out.atom = std::move(text);
  return out;
}

bool compares(double value, const Atom& atom) {
  switch (atom.op) {
    case Atom::Operator::Less:
      return value < atom.value;
    case Atom::Operator::LessOrEqual:
      return value <= atom.value;
    case Atom::Operator::Greater:
      return value > atom.value;
    case Atom::Operator::GreaterOrEqual:
      return value >= atom.value;
    case Atom::Operator::Equal:
      return value == atom.value;
    case Atom::Operator::NotEqual:
      return value != atom.value;
  }
  return false;
}

// The condition as it stands after `rule` has corrected the decision: route and confidence are known,
// the rule's signals are there, everything else is as it was.
Condition after(const Profile& profile, const Rule& rule, bool is_supervisor,
                const Condition& condition) {
  if (condition.kind != Condition::Kind::Atom) {
    Condition out = condition;
    for (Condition& part : out.parts) part = after(profile, rule, is_supervisor, part);
    return out;
  }
  const bool is_negated = condition.atom.starts_with("not ");
  const auto atom = parse_atom(is_negated ? condition.atom.substr(4) : condition.atom);
  if (!atom) return condition;
  const auto known = [&](bool value) { return constant(value != is_negated); };
  if (atom->kind == Atom::Kind::Route) return known(profile.is_a(rule.route, atom->name));
  if (atom->kind == Atom::Kind::Compare && atom->name == "confidence")
    return known(compares(rule.confidence, *atom));
  if (atom->kind == Atom::Kind::Signal) {
    const bool is_added =
        std::find(rule.signals.begin(), rule.signals.end(), atom->name) != rule.signals.end() ||
        (is_supervisor && atom->name == profile.supervisor.signal);
    if (is_added) return known(true);
  }
  return condition;
}

struct Ranked {
  const Rule* rule = nullptr;
  bool is_supervisor = false;
};

}  // namespace

std::vector<Contradiction> find_contradictions(const Profile& profile) {
  std::vector<Ranked> rules;
  for (const Rule& rule : profile.overrides) rules.push_back({&rule, false});
  for (const Rule& rule : profile.supervisor.rules) rules.push_back({&rule, true});
  std::vector<Contradiction> out;
  for (const Ranked& first : rules) {
    for (const Ranked& second : rules) {
      // Overrides are alternatives in the order of the file; only the supervisor comes after another
      // rule.
      if (first.rule == second.rule || !second.is_supervisor) continue;
      if (first.rule->route.empty() || second.rule->route.empty()) continue;
      if (first.rule->route == second.rule->route) continue;
      Condition both;
      both.kind = Condition::Kind::All;
      both.parts = {first.rule->when, atom_of("route." + second.rule->route),
                    after(profile, *first.rule, first.is_supervisor, second.rule->when)};
      if (auto facts = example_of(profile, both))
        out.push_back({first.rule, second.rule, *std::move(facts)});
    }
  }
  return out;
}

}  // namespace signalbox

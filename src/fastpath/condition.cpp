#include "fastpath/condition.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace signalbox {
namespace {

using Kind = Atom::Kind;

bool has_signal(const Decision& decision, std::string_view name) {
  const bool is_prefix = name.ends_with('*');
  if (is_prefix) name.remove_suffix(1);
  return std::any_of(decision.signals.begin(), decision.signals.end(), [&](const std::string& signal) {
    return is_prefix ? signal.starts_with(name) : signal == name;
  });
}

Presence presence_of(const Decision& decision, const std::string& name) {
  const auto found = decision.evidence.find(name);
  return found == decision.evidence.end() ? Presence::Absent : found->second;
}

// A quantity that is not there compares false with everything.
double quantity(const Facts& facts, std::string_view name) {
  const Decision& decision = facts.decision;
  if (name == "length") return static_cast<double>(facts.text.tokens.size());
  if (name == "confidence") return decision.confidence;
  if (name == "tables") return static_cast<double>(decision.tables.size());
  if (name == "columns") return static_cast<double>(decision.columns.size());
  if (name == "llm_calls") return decision.llm_calls;
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  constexpr std::string_view kEvidence = "evidence.";
  for (const auto& [key, value] : facts.request.evidence) {
    if (name.substr(kEvidence.size()) != key) continue;
    const double* number = std::get_if<double>(&value);
    return number ? *number : kMissing;
  }
  return kMissing;
}

bool compares(double left, Atom::Operator op, double right) {
  if (std::isnan(left)) return false;
  switch (op) {
    case Atom::Operator::Less:
      return left < right;
    case Atom::Operator::LessOrEqual:
      return left <= right;
    case Atom::Operator::Equal:
      return left == right;
    case Atom::Operator::NotEqual:
      return left != right;
    case Atom::Operator::GreaterOrEqual:
      return left >= right;
    case Atom::Operator::Greater:
      return left > right;
  }
  return false;
}

bool ends_with_question_mark(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '"'))
    text.remove_suffix(1);
  return text.ends_with("?") || text.ends_with("\xEF\xBC\x9F") /* ？ */ ||
         text.ends_with("\xD8\x9F") /* ؟ */;
}

}  // namespace

CompiledCondition::CompiledCondition(const Condition& condition, const Profile& profile,
                                     const ProfileMatcher& matcher)
    : kind_(condition.kind) {
  for (const Condition& part : condition.parts) parts_.emplace_back(part, profile, matcher);
  if (kind_ != Condition::Kind::Atom) return;
  atom_ = parse_atom(condition.atom).value_or(Atom{});
  switch (atom_.kind) {
    case Kind::Words:
    case Kind::Starts:
    case Kind::Ends:
    case Kind::Only:
      index_ = matcher.list(atom_.name);
      break;
    case Kind::Pattern:
      index_ = matcher.pattern(atom_.name);
      break;
    case Kind::Trigger:
      for (std::size_t i = 0; i < profile.apps.size(); ++i) {
        if (profile.apps[i].name == atom_.name) index_ = i;
      }
      break;
    default:
      break;
  }
}

bool CompiledCondition::holds(const Facts& facts) const {
  const auto part_holds = [&](const CompiledCondition& part) { return part.holds(facts); };
  switch (kind_) {
    case Condition::Kind::Always:
      return true;
    case Condition::Kind::Atom:
      return atom_holds(facts) != atom_.is_negated;
    case Condition::Kind::All:
      return std::all_of(parts_.begin(), parts_.end(), part_holds);
    case Condition::Kind::Any:
      return std::any_of(parts_.begin(), parts_.end(), part_holds);
    case Condition::Kind::None:
      return std::none_of(parts_.begin(), parts_.end(), part_holds);
  }
  return false;
}

bool CompiledCondition::atom_holds(const Facts& facts) const {
  const PhraseHits& phrases = facts.findings.phrases;
  const Request& request = facts.request;
  const Decision& decision = facts.decision;
  switch (atom_.kind) {
    case Kind::Words:
      return phrases.has(index_);
    case Kind::Starts:
      return phrases.has(index_) && phrases.starts_with(index_, facts.matcher.filler());
    case Kind::Ends:
      return phrases.has(index_) && phrases.ends_with(index_);
    case Kind::Only:
      return phrases.covers_all(index_, facts.matcher.filler());
    case Kind::Pattern:
      return facts.matcher.matches(index_, facts.text, facts.findings);
    case Kind::Signal:
      return has_signal(decision, atom_.name);
    case Kind::Evidence:
      return presence_of(decision, atom_.name) == Presence::Present;
    case Kind::Absent:
      return presence_of(decision, atom_.name) == Presence::Absent;
    case Kind::Unknown:
      return presence_of(decision, atom_.name) == Presence::Unknown;
    case Kind::Route:
      return decision.route && facts.profile.is_a(*decision.route, atom_.name);
    case Kind::Tier:
      return atom_.name == tier_name(decision.tier);
    case Kind::DecidedBy:
      return atom_.name == decided_by_name(decision.decided_by);
    case Kind::AppActive:
      return !request.active_app.empty();
    case Kind::App:
      return request.active_app == atom_.name;
    case Kind::AppTakesMentions:
      return std::any_of(facts.profile.apps.begin(), facts.profile.apps.end(), [&](const App& app) {
        return app.name == request.active_app && !app.mention_wins;
      });
    case Kind::TriggerAny:
      return facts.matcher.trigger(facts.text, facts.findings).confidence >= kTriggerFires;
    case Kind::TriggerSaid:
      return facts.matcher.is_trigger_said(facts.text, facts.findings);
    case Kind::Trigger:
      return facts.matcher.trigger_confidence(index_, facts.text, facts.findings) >= kTriggerFires;
    case Kind::Attachment:
      return !request.attachments.empty();
    case Kind::History:
      return !request.history.empty() || !request.intent_history.empty();
    case Kind::Awaiting:
      return request.awaiting.has_value();
    case Kind::Declared:
      return !request.route.empty();
    case Kind::QuestionMark:
      return ends_with_question_mark(facts.text.original);
    case Kind::Empty:
      return facts.text.tokens.empty();
    case Kind::Language:
      return decision.language == atom_.name;
    case Kind::Compare:
      return compares(quantity(facts, atom_.name), atom_.op, atom_.value);
  }
  return false;
}

}  // namespace signalbox

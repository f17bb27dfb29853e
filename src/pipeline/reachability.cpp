#include "pipeline/reachability.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "profile/atom.h"

namespace signalbox {
namespace {

constexpr int kMaxVisits = 200'000;

using Kind = Atom::Kind;
using Truth = std::optional<bool>;

struct Variable {
  Atom atom;  // without its negation
  Truth value;
};

bool is_subset(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::set<std::string> all(b.begin(), b.end());
  return std::all_of(a.begin(), a.end(),
                     [&](const std::string& phrase) { return all.contains(phrase); });
}

class Search {
 public:
  Search(const Profile& profile, const Condition& wanted, std::span<const Condition* const> without)
      : profile_(profile), wanted_(wanted), without_(without.begin(), without.end()) {
    collect(wanted);
    for (const Condition* condition : without_) collect(*condition);
  }

  std::vector<std::string> facts() const {
    std::vector<std::string> out;
    for (const auto& [name, at] : index_) {
      const Truth value = variables_[at].value;
      if (value) out.push_back(*value ? name : "not " + name);
    }
    return out;
  }

  Reach run() {
    const bool found = extend(0);
    if (found) return Reach::Possible;
    return visits_ > kMaxVisits ? Reach::Unknown : Reach::Impossible;
  }

 private:
  void collect(const Condition& condition) {
    for (const Condition& part : condition.parts) collect(part);
    if (condition.kind != Condition::Kind::Atom) return;
    const std::string name = plain(condition.atom);
    if (index_.contains(name)) return;
    auto atom = parse_atom(name);
    index_[name] = variables_.size();
    variables_.push_back({atom.value_or(Atom{}), std::nullopt});
  }
  static std::string plain(const std::string& atom) {
    return atom.starts_with("not ") ? atom.substr(4) : atom;
  }

  Truth value_of(const Condition& condition) const {
    switch (condition.kind) {
      case Condition::Kind::Always:
        return true;
      case Condition::Kind::Atom: {
        const Truth value = variables_[index_.at(plain(condition.atom))].value;
        if (!value) return value;
        return condition.atom.starts_with("not ") ? !*value : *value;
      }
      case Condition::Kind::All:
        return combine(condition, false);
      case Condition::Kind::Any:
        return combine(condition, true);
      case Condition::Kind::None: {
        const Truth any = combine(condition, true);
        return any ? Truth(!*any) : any;
      }
    }
    return std::nullopt;
  }
  // All: one false decides; any: one true decides.
  Truth combine(const Condition& condition, bool deciding) const {
    bool open = false;
    for (const Condition& part : condition.parts) {
      const Truth value = value_of(part);
      if (value == deciding) return deciding;
      open = open || !value;
    }
    return open ? Truth() : Truth(!deciding);
  }

  bool extend(std::size_t at) {
    if (++visits_ > kMaxVisits || !is_consistent()) return false;
    const Truth wanted = value_of(wanted_);
    if (wanted == false) return false;
    bool all_false = true;
    for (const Condition* condition : without_) {
      const Truth value = value_of(*condition);
      if (value == true) return false;
      all_false = all_false && value == false;
    }
    if (wanted == true && all_false) return true;
    if (at == variables_.size()) return false;
    for (const bool choice : {true, false}) {
      variables_[at].value = choice;
      if (extend(at + 1)) return true;
    }
    variables_[at].value.reset();
    return false;
  }

  bool is_consistent() const {
    for (const Variable& a : variables_) {
      if (a.value != true) continue;
      for (const Variable& b : variables_) {
        if (b.value == false && implies(a.atom, b.atom)) return false;
        if (b.value == true && &a != &b && excludes(a.atom, b.atom)) return false;
      }
    }
    return numbers_fit();
  }

  bool implies(const Atom& a, const Atom& b) const {
    const bool a_finds =
        a.kind == Kind::Words || a.kind == Kind::Starts || a.kind == Kind::Ends || a.kind == Kind::Only;
    if (a_finds && (b.kind == Kind::Words || b.kind == a.kind)) {
      if (a.name == b.name) return true;
      return is_subset(profile_.words.at(a.name), profile_.words.at(b.name));
    }
    if (a.kind == Kind::Route && b.kind == Kind::Route) return profile_.is_a(a.name, b.name);
    if ((a.kind == Kind::App || a.kind == Kind::AppTakesMentions) && b.kind == Kind::AppActive)
      return true;
    return (a.kind == Kind::Trigger || a.kind == Kind::TriggerSaid) && b.kind == Kind::TriggerAny;
  }

  bool excludes(const Atom& a, const Atom& b) const {
    const auto is_presence = [](Kind kind) {
      return kind == Kind::Evidence || kind == Kind::Absent || kind == Kind::Unknown;
    };
    if (is_presence(a.kind) && is_presence(b.kind)) return a.name == b.name && a.kind != b.kind;
    if (a.kind == Kind::Empty)
      return b.kind == Kind::Words || b.kind == Kind::Only || b.kind == Kind::Starts;
    if (a.kind != b.kind || a.name == b.name) return false;
    if (a.kind == Kind::Route) return !profile_.is_a(a.name, b.name) && !profile_.is_a(b.name, a.name);
    return a.kind == Kind::Tier || a.kind == Kind::DecidedBy || a.kind == Kind::Language ||
           a.kind == Kind::App;
  }

  // Whether some number satisfies all comparisons of each quantity.
  bool numbers_fit() const {
    struct Range {
      double low = -std::numeric_limits<double>::infinity();
      double high = std::numeric_limits<double>::infinity();
      bool low_open = false;
      bool high_open = false;
    };
    std::map<std::string, Range> ranges;
    for (const Variable& variable : variables_) {
      if (variable.atom.kind != Kind::Compare || !variable.value) continue;
      Range& range = ranges[variable.atom.name];
      using Operator = Atom::Operator;
      Operator op = variable.atom.op;
      if (!*variable.value) {
        op = op == Operator::Less             ? Operator::GreaterOrEqual
             : op == Operator::LessOrEqual    ? Operator::Greater
             : op == Operator::Greater        ? Operator::LessOrEqual
             : op == Operator::GreaterOrEqual ? Operator::Less
             : op == Operator::Equal          ? Operator::NotEqual
                                              : Operator::Equal;
      }
      const double value = variable.atom.value;
      const bool from_below =
          op == Operator::Greater || op == Operator::GreaterOrEqual || op == Operator::Equal;
      const bool from_above =
          op == Operator::Less || op == Operator::LessOrEqual || op == Operator::Equal;
      if (from_below && (value > range.low || (value == range.low && op == Operator::Greater))) {
        range.low = value, range.low_open = op == Operator::Greater;
      }
      if (from_above && (value < range.high || (value == range.high && op == Operator::Less))) {
        range.high = value, range.high_open = op == Operator::Less;
      }
    }
    return std::all_of(ranges.begin(), ranges.end(), [](const auto& entry) {
      const Range& range = entry.second;
      return range.low < range.high || (range.low == range.high && !range.low_open && !range.high_open);
    });
  }

  const Profile& profile_;
  const Condition& wanted_;
  std::vector<const Condition*> without_;
  std::map<std::string, std::size_t> index_;
  std::vector<Variable> variables_;
  int visits_ = 0;
};

}  // namespace

Reach can_hold(const Profile& profile, const Condition& wanted,
               std::span<const Condition* const> without) {
  return Search(profile, wanted, without).run();
}

std::optional<std::vector<std::string>> example_of(const Profile& profile, const Condition& wanted) {
  Search search(profile, wanted, {});
  if (search.run() != Reach::Possible) return std::nullopt;
  return search.facts();
}

}  // namespace signalbox

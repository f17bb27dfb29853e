#include "profile/atom.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "profile/diagnostics.h"

namespace signalbox {
namespace {

using Kind = Atom::Kind;

struct Named {
  std::string_view word;
  Kind kind;
};

constexpr std::array kDotted{Named{"words", Kind::Words},       Named{"starts", Kind::Starts},
                             Named{"ends", Kind::Ends},         Named{"only", Kind::Only},
                             Named{"pattern", Kind::Pattern},   Named{"signal", Kind::Signal},
                             Named{"evidence", Kind::Evidence}, Named{"absent", Kind::Absent},
                             Named{"unknown", Kind::Unknown},   Named{"route", Kind::Route},
                             Named{"tier", Kind::Tier},         Named{"decided_by", Kind::DecidedBy},
                             Named{"app", Kind::App},           Named{"trigger", Kind::Trigger},
                             Named{"language", Kind::Language}};
constexpr std::array kPlain{
    Named{"attachment", Kind::Attachment},      Named{"history", Kind::History},
    Named{"awaiting", Kind::Awaiting},          Named{"declared", Kind::Declared},
    Named{"question_mark", Kind::QuestionMark}, Named{"empty", Kind::Empty}};
constexpr std::array<std::string_view, 5> kQuantities{"length", "confidence", "tables", "columns",
                                                      "llm_calls"};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Result<Atom> parse_comparison(std::string_view text, std::size_t at, Atom atom) {
  std::string_view left = trim(text.substr(0, at));
  std::string_view right = text.substr(at);
  using Operator = Atom::Operator;
  constexpr std::array<std::pair<std::string_view, Operator>, 7> kOperators{
      {{">=", Operator::GreaterOrEqual},
       {"<=", Operator::LessOrEqual},
       {"!=", Operator::NotEqual},
       {"==", Operator::Equal},
       {">", Operator::Greater},
       {"<", Operator::Less},
       {"=", Operator::Equal}}};
  bool is_known = false;
  for (const auto& [word, op] : kOperators) {
    if (!right.starts_with(word)) continue;
    atom.op = op;
    right.remove_prefix(word.size());
    is_known = true;
    break;
  }
  const std::string number(trim(right));
  char* end = nullptr;
  atom.value = std::strtod(number.c_str(), &end);
  if (!is_known || number.empty() || *end != '\0') {
    return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no comparison with a number", text));
  }
  atom.kind = Kind::Compare;
  atom.name = left;
  bool is_quantity = left.starts_with("evidence.") && left.size() > 9;
  for (const std::string_view known : kQuantities) is_quantity = is_quantity || left == known;
  if (!is_quantity) {
    return fail(ErrorCode::InvalidInput, fmt::format("cannot compare '{}'; known: {}, evidence.NAME",
                                                     left, fmt::join(kQuantities, ", ")));
  }
  return atom;
}

}  // namespace

Result<Atom> parse_atom(std::string_view text) {
  Atom atom;
  text = trim(text);
  if (text.starts_with("not ")) {
    atom.is_negated = true;
    text = trim(text.substr(4));
  }
  if (const std::size_t at = text.find_first_of("<>=!"); at != std::string_view::npos) {
    return parse_comparison(text, at, std::move(atom));
  }
  for (const Named& plain : kPlain) {
    if (text == plain.word) {
      atom.kind = plain.kind;
      return atom;
    }
  }
  const std::size_t point = text.find('.');
  const std::string_view head = text.substr(0, point);
  for (const Named& dotted : kDotted) {
    if (head != dotted.word) continue;
    if (point == std::string_view::npos || point + 1 == text.size()) {
      return fail(ErrorCode::InvalidInput, fmt::format("'{}' needs a name: {}.NAME", text, head));
    }
    atom.kind = dotted.kind;
    atom.name = text.substr(point + 1);
    if (text == "app.active") atom.kind = Kind::AppActive;
    if (text == "app.takes_mentions") atom.kind = Kind::AppTakesMentions;
    if (text == "trigger.any") atom.kind = Kind::TriggerAny;
    if (text == "trigger.said") atom.kind = Kind::TriggerSaid;
    return atom;
  }
  std::vector<std::string> known;
  for (const Named& plain : kPlain) known.emplace_back(plain.word);
  for (const Named& dotted : kDotted) known.emplace_back(dotted.word);
  const std::string meant = closest_name(head, known);
  return fail(ErrorCode::InvalidInput,
              fmt::format("unknown atom '{}'{}", text,
                          meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant)));
}

}  // namespace signalbox

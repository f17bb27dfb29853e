#include "test/conformance/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace signalbox {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> out;
  std::string part;
  for (const char c : text) {
    if (c == at)
      out.push_back(std::move(part)), part.clear();
    else
      part += c;
  }
  out.push_back(std::move(part));
  return out;
}

bool contains_all(const std::vector<std::string>& list, const std::string& wanted) {
  if (wanted == "none") return list.empty();
  for (const std::string& item : split(wanted, ',')) {
    const auto choices = split(item, '|');  // a|b: one of them is enough
    if (std::find_first_of(list.begin(), list.end(), choices.begin(), choices.end()) == list.end())
      return false;
  }
  return true;
}

bool contains_any(const std::vector<std::string>& list, const std::string& unwanted) {
  for (const std::string& item : split(unwanted, ',')) {
    if (std::find(list.begin(), list.end(), item) != list.end()) return true;
  }
  return false;
}

std::string joined(const std::vector<std::string>& list) {
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, ","));
}

std::vector<std::string> routes_of(const std::vector<Intent>& intents) {
  std::vector<std::string> out;
  for (const Intent& intent : intents) out.push_back(intent.route);
  return out;
}

const Plan& plan_of(const Decision& decision) {
  static const Plan empty;
  return decision.plan ? *decision.plan : empty;
}

using Text = std::function<std::string(const Decision&)>;
const std::map<std::string, Text>& texts() {
  static const std::map<std::string, Text> all{
      {"route", [](const Decision& d) { return d.route.value_or("null"); }},
      {"router_route",
       [](const Decision& d) {
         return d.supervisor.changed ? d.supervisor.from : d.route.value_or("null");
       }},
      {"rule", [](const Decision& d) { return d.rule.empty() ? "none" : d.rule; }},
      {"tier", [](const Decision& d) { return std::string(tier_name(d.tier)); }},
      {"decided_by", [](const Decision& d) { return std::string(decided_by_name(d.decided_by)); }},
      {"language", [](const Decision& d) { return d.language; }},
      {"complexity", [](const Decision& d) { return plan_of(d).complexity; }},
      {"query_type", [](const Decision& d) { return plan_of(d).query_type; }},
      {"llm", [](const Decision& d) { return std::to_string(d.llm_calls); }},
      {"retrieval", [](const Decision& d) { return std::string(d.retrieval ? "true" : "false"); }},
      {"slot", [](const Decision& d) { return d.model.slot.empty() ? "none" : d.model.slot; }},
      {"model", [](const Decision& d) { return d.model.name.empty() ? "none" : d.model.name; }},
      {"target",
       [](const Decision& d) {
         return d.target.kind.empty() ? "none" : d.target.kind + ":" + d.target.name;
       }},
      {"supervisor",
       [](const Decision& d) { return d.supervisor.changed ? d.supervisor.rule : "none"; }},
      {"ask", [](const Decision& d) { return d.ask ? d.ask->kind : "none"; }},
      {"intents", [](const Decision& d) { return joined(routes_of(d.intents)); }},
      {"violation", [](const Decision& d) { return joined(d.violations); }},
      {"sub_questions",
       [](const Decision& d) { return std::to_string(plan_of(d).sub_questions.size()); }},
      {"confidence", [](const Decision& d) { return fmt::format("{:.4f}", d.confidence); }},
      {"resolved", [](const Decision& d) { return d.resolved_query; }},
  };
  return all;
}

using List = std::function<std::vector<std::string>(const Decision&)>;
const std::map<std::string, List>& lists() {
  static const std::map<std::string, List> all{
      {"signal", [](const Decision& d) { return d.signals; }},
      {"tables", [](const Decision& d) { return d.tables; }},
      {"columns", [](const Decision& d) { return d.columns; }},
      {"tools", [](const Decision& d) { return plan_of(d).suggested_tools; }},
      {"grep_keywords", [](const Decision& d) { return plan_of(d).grep_keywords; }},
  };
  return all;
}

std::string base_of(std::string key) {
  while (!key.empty() &&
         (key.back() == '=' || key.back() == '!' || key.back() == '>' || key.back() == '<'))
    key.pop_back();
  return key;
}

bool is_met(const Decision& decision, const Expectation& wanted, bool& known) {
  const std::string key = base_of(wanted.key);
  const std::string op = wanted.key.substr(key.size());
  known = true;
  if (const auto list = lists().find(key); list != lists().end()) {
    const auto values = list->second(decision);
    return op.starts_with('!') ? !contains_any(values, wanted.value)
                               : contains_all(values, wanted.value);
  }
  if (key == "resolved") return decision.resolved_query.find(wanted.value) != std::string::npos;
  const auto text = texts().find(key);
  if (text == texts().end()) {
    known = false;
    return false;
  }
  const std::string got = text->second(decision);
  if (op.starts_with('>')) return std::stod(got) >= std::stod(wanted.value);
  if (op.starts_with('<')) return std::stod(got) <= std::stod(wanted.value);
  const auto allowed = split(wanted.value, '|');
  const bool is_one = std::find(allowed.begin(), allowed.end(), got) != allowed.end();
  return op.starts_with('!') ? !is_one : is_one;
}

}  // namespace

std::string actual_value(const Decision& decision, const std::string& key) {
  const std::string base = base_of(key);
  if (const auto list = lists().find(base); list != lists().end())
    return joined(list->second(decision));
  const auto text = texts().find(base);
  return text == texts().end() ? "?" : text->second(decision);
}

std::vector<std::string> mismatches(const Decision& decision,
                                    const std::vector<Expectation>& expected) {
  std::vector<std::string> out;
  bool speaks_of_violations = false;
  for (const Expectation& wanted : expected) {
    speaks_of_violations = speaks_of_violations || base_of(wanted.key) == "violation";
    bool known = true;
    if (is_met(decision, wanted, known)) continue;
    out.push_back(known ? fmt::format("{} {}, got {}", wanted.key, wanted.value,
                                      actual_value(decision, wanted.key))
                        : fmt::format("unknown key '{}'", wanted.key));
  }
  if (!speaks_of_violations && !decision.violations.empty()) {
    out.push_back("breaks the contract: " + joined(decision.violations));
  }
  return out;
}

}  // namespace signalbox

#include "app/ledger_app.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/words_in.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

namespace json = boost::json;
constexpr double kMaxAmount = 1e9;
constexpr const char* kMe = "me";

const json::array& array_in(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value* value = object.if_contains(key);
  return value && value->is_array() ? value->get_array() : kNone;
}

std::string text_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

std::int64_t number_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : 0;
}

void add_person(json::object& state, const json::value& person) {
  json::array& people =
      state["people"].is_array() ? state["people"].get_array() : state["people"].emplace_array();
  if (std::find(people.begin(), people.end(), person) == people.end()) people.push_back(person);
}

void apply_event(const AppEvent& event, json::object& state) {
  if (event.type == "joined") {
    for (const json::value& person : array_in(event.data, "people")) add_person(state, person);
    return;
  }
  json::array& expenses =
      state["expenses"].is_array() ? state["expenses"].get_array() : state["expenses"].emplace_array();
  if (event.type == "paid") {
    json::object expense = event.data;
    const std::int64_t id = number_in(state, "last") + 1;
    expense["id"] = id;
    if (const json::value* payer = event.data.if_contains("payer")) add_person(state, *payer);
    for (const json::value& person : array_in(event.data, "among")) add_person(state, person);
    expenses.push_back(std::move(expense));
    state["last"] = id;
  } else if (event.type == "removed") {
    const std::int64_t id = number_in(event.data, "id");
    const auto gone = std::find_if(expenses.begin(), expenses.end(), [&](const json::value& expense) {
      return expense.is_object() && number_in(expense.get_object(), "id") == id;
    });
    if (gone != expenses.end()) expenses.erase(gone);
  }
}

std::string money(std::int64_t cents, const std::string& currency) {
  const std::string amount = cents % 100 == 0 ? fmt::format("{}", cents / 100)
                                              : fmt::format("{}.{:02}", cents / 100, cents % 100);
  return currency.empty() ? amount : currency + amount;
}

class LedgerCall {
 public:
  LedgerCall(const AppManifest& app, const AppCall& call, const json::object& state)
      : app_(app), call_(call), state_(state) {}

  AppReply run() {
    if (call_.action == "start") return start();
    if (call_.action == "pay") return pay();
    if (call_.action == "people") return people();
    if (call_.action == "remove") return remove();
    return call_.action == "settle" ? settled() : list();
  }

 private:
  std::string say(const std::string& key, std::map<std::string, std::string> values = {}) const {
    return app_.text(key, call_.language, values);
  }

  // "I", "yo", "eu", 我 are the one who writes.
  json::string person(const std::string& name) const {
    const auto self = app_.values.find("self");
    if (self != app_.values.end()) {
      for (const auto& [value, words] : self->second) {
        if (std::find(words.begin(), words.end(), fold(name)) != words.end())
          return json::string(value);
      }
    }
    for (const json::value& known : array_in(state_, "people")) {
      if (known.is_string() && fold(std::string_view(known.get_string())) == fold(name))
        return known.get_string();
    }
    return json::string(name);
  }
  json::array persons(std::string_view slot) const {
    json::array out;
    for (const json::value& name : array_in(call_.slots, slot)) {
      const json::string one = person(std::string(name.get_string()));
      if (std::find(out.begin(), out.end(), json::value(one)) == out.end()) out.push_back(one);
    }
    return out;
  }
  std::string shown(std::string_view person) const {
    return person == kMe ? say("me") : std::string(person);
  }
  std::string currency() const {
    for (const json::value& expense : array_in(state_, "expenses")) {
      const std::string own = text_in(expense.get_object(), "currency");
      if (!own.empty()) return own;
    }
    return text_in(call_.slots, "currency");
  }

  std::string names_of(const json::array& people) const {
    std::vector<std::string> names;
    for (const json::value& one : people) names.push_back(shown(std::string_view(one.get_string())));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  AppReply start() const {
    AppReply reply;
    const json::array joined = persons("people");
    reply.events.push_back({0, "", "joined", {{"people", joined}}});
    reply.text = joined.empty() ? say("started") : say("started_with", {{"names", names_of(joined)}});
    return reply;
  }

  AppReply people() const {
    AppReply reply;
    const json::array joined = persons("people");
    reply.events.push_back({0, "", "joined", {{"people", joined}}});
    reply.text = say("joined", {{"names", names_of(joined)}});
    return reply;
  }

  AppReply pay() const {
    AppReply reply;
    const double amount = call_.slots.at("amount").to_number<double>();
    if (!(amount > 0) || amount > kMaxAmount) {
      reply.text = say("bad_amount");
      return reply;
    }
    const std::string payer = text_in(call_.slots, "payer");
    json::object paid = {{"cents", static_cast<std::int64_t>(std::llround(amount * 100))},
                         {"payer", payer.empty() ? json::string(kMe) : person(payer)},
                         {"what", text_in(call_.slots, "what")},
                         {"among", persons("among")}};
    if (const std::string unit = text_in(call_.slots, "currency"); !unit.empty())
      paid["currency"] = unit;
    reply.text = say(text_in(paid, "what").empty() ? "paid" : "paid_for",
                     {{"payer", shown(std::string_view(paid["payer"].get_string()))},
                      {"amount", money(number_in(paid, "cents"), currency())},
                      {"what", text_in(paid, "what")}});
    reply.events.push_back({0, "", "paid", std::move(paid)});
    return reply;
  }

  AppReply remove() const {
    AppReply reply;
    const std::string wanted = fold(text_in(call_.slots, "what"));
    const json::array& expenses = array_in(state_, "expenses");
    const bool is_last =
        std::find(app_.pronouns.begin(), app_.pronouns.end(), wanted) != app_.pronouns.end();
    for (auto expense = expenses.rbegin(); expense != expenses.rend(); ++expense) {
      const json::object& one = expense->get_object();
      if (!is_last && find_word(fold(text_in(one, "what")), wanted) == std::string::npos) continue;
      reply.events.push_back({0, "", "removed", {{"id", number_in(one, "id")}}});
      reply.text = say("removed", {{"what", text_in(one, "what")},
                                   {"amount", money(number_in(one, "cents"), currency())}});
      return reply;
    }
    reply.text = say("not_found", {{"what", text_in(call_.slots, "what")}});
    return reply;
  }

  AppReply list() const {
    AppReply reply;
    std::int64_t sum = 0;
    for (const json::value& expense : array_in(state_, "expenses")) {
      const json::object& one = expense.get_object();
      const std::string what = text_in(one, "what");
      sum += number_in(one, "cents");
      reply.list.push_back(what.empty() ? money(number_in(one, "cents"), currency()) : what);
      reply.text +=
          fmt::format("{}. {}{}{} – {}\n", reply.list.size(), what, what.empty() ? "" : " ",
                      money(number_in(one, "cents"), currency()), shown(text_in(one, "payer")));
    }
    if (reply.list.empty())
      reply.text = say("empty");
    else
      reply.text += say("total", {{"amount", money(sum, currency())}});
    return reply;
  }

  AppReply settled() const {
    AppReply reply;
    for (const Transfer& transfer : settle(state_)) {
      if (!reply.text.empty()) reply.text += '\n';
      reply.text += say("owes", {{"from", shown(transfer.from)},
                                 {"to", shown(transfer.to)},
                                 {"amount", money(transfer.cents, currency())}});
    }
    if (reply.text.empty()) reply.text = say(array_in(state_, "expenses").empty() ? "empty" : "even");
    return reply;
  }

  const AppManifest& app_;
  const AppCall& call_;
  const json::object& state_;
};

}  // namespace

std::vector<Transfer> settle(const json::object& state) {
  std::map<std::string, std::int64_t> balance;
  for (const json::value& value : array_in(state, "expenses")) {
    const json::object& expense = value.get_object();
    const json::array& named = array_in(expense, "among");
    const json::array& among = named.empty() ? array_in(state, "people") : named;
    if (among.empty()) continue;
    const std::int64_t cents = number_in(expense, "cents");
    const auto count = static_cast<std::int64_t>(among.size());
    balance[text_in(expense, "payer")] += cents;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string name(among[static_cast<std::size_t>(i)].get_string());
      balance[name] -= cents / count + (i < cents % count ? 1 : 0);
    }
  }
  std::vector<Transfer> transfers;
  const auto by_balance = [](const auto& a, const auto& b) { return a.second < b.second; };
  while (!balance.empty()) {
    const auto least = std::min_element(balance.begin(), balance.end(), by_balance);
    const auto most = std::max_element(balance.begin(), balance.end(), by_balance);
    const std::int64_t cents = std::min(-least->second, most->second);
    if (cents <= 0) break;
    transfers.push_back({least->first, most->first, cents});
    least->second += cents;
    most->second -= cents;
  }
  return transfers;
}

Result<AppReply> LedgerApp::handle(const AppManifest& app, const AppCall& call,
                                   const json::object& state) {
  return LedgerCall(app, call, state).run();
}

ApplyEvent LedgerApp::apply() const {
  return apply_event;
}

}  // namespace signalbox

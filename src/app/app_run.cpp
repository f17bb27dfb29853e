#include "app/app_run.h"

#include <algorithm>

namespace signalbox {
namespace {

namespace json = boost::json;

bool is_control(const std::string& action) {
  return action == "cancel" || action == "done" || action == "help" || action == "undo";
}

// Whether the second says nothing that the first has not said: "between Ana and Bo" starts a bill, and
// would also add people to it.
bool says_no_more(const AppCall& second, const AppCall& first) {
  return std::all_of(second.slots.begin(), second.slots.end(), [&](const auto& slot) {
    const json::value* known = first.slots.if_contains(slot.key());
    return known && *known == slot.value();
  });
}

}  // namespace

AppTurn AppRun::told(const std::string& key) const {
  AppTurn turn;
  turn.active_app = app_.name;
  turn.text = say(key);
  return turn;
}

bool AppRun::has_list_to_go_on() const {
  return !log_.is_finished && !state_.empty();
}

AppTurn AppRun::run(bool wants_view) {
  AppTurn turn = answer(wants_view);
  if (turn.error.empty()) log_.add(call_id_, std::move(events_), handler_.apply());
  return turn;
}

AppTurn AppRun::answer(bool wants_view) {
  const std::optional<PendingCall> pending = std::exchange(log_.pending, std::nullopt);
  if (pending && decision_.has_signal("awaiting_declined")) return told("declined");
  if (pending && decision_.has_signal("awaiting_answered")) {
    if (auto answered = pending_answer(*pending)) return perform(*std::move(answered));
    // No answer after all: what was said is taken for itself.
    if (auto meant = interpret(app_, decision_.query, false)) return perform(*std::move(meant));
    log_.pending = pending;
    AppTurn turn = told("missing_" + pending->slot);
    turn.ask = Ask{"fill", turn.text, {}};
    return turn;
  }
  std::optional<Interpretation> meant = interpret(app_, decision_.resolved_query, wants_view);
  const bool is_opened = request_.active_app != app_.name;
  const bool starts = interpret_as(app_, "start", decision_.resolved_query).has_value();
  if (is_opened || (!meant && starts)) return open(std::move(meant));
  return meant ? perform(*std::move(meant)) : told("not_understood");
}

AppTurn AppRun::open(std::optional<Interpretation> meant) {
  std::optional<Interpretation> start = interpret_as(app_, "start", decision_.resolved_query);
  const bool names_new = start && !start->call.slots.empty();
  if (meant && is_control(meant->call.action)) meant.reset();
  if (has_list_to_go_on() && !names_new) {
    if (meant) return perform(*std::move(meant));
    Interpretation look;
    look.call.action = "list";
    AppTurn turn = perform(std::move(look));
    turn.text = say("resumed") + "\n" + turn.text;
    return turn;
  }
  AppTurn turn;
  turn.active_app = app_.name;
  if (!start) start = Interpretation{};
  start->call.action = "start";
  if (!state_.empty()) events_.push_back({0, "", std::string(AppLog::kReset), {}});
  state_.clear();
  if (!call(start->call, turn)) return turn;
  log_.is_finished = false;
  const bool does_more = meant && meant->missing.empty() && app_.handler != AppHandlerKind::Http &&
                         !says_no_more(meant->call, start->call);
  if (does_more) call(meant->call, turn);
  return turn;
}

AppTurn AppRun::ask_for(const Interpretation& meant) {
  const std::string& slot = meant.missing.front();
  AppTurn turn = told("missing_" + slot);
  turn.ask = Ask{"fill", turn.text, {}};
  log_.pending = PendingCall{meant.call.action, meant.call.slots, slot};
  return turn;
}

AppTurn AppRun::control(const std::string& action) {
  if (action == "undo") return told(log_.undo(call_id_) ? "undone" : "nothing_to_undo");
  AppTurn turn = told(action);
  if (action == "help") return turn;
  turn.active_app.clear();
  turn.is_dropped = action == "cancel";
  log_.is_finished = true;
  return turn;
}

AppTurn AppRun::perform(Interpretation meant) {
  if (is_control(meant.call.action)) return control(meant.call.action);
  if (!meant.missing.empty()) return ask_for(meant);
  AppTurn turn;
  turn.active_app = app_.name;
  if (!call(meant.call, turn)) return turn;
  // "Which one?": the answer stands for the items that were meant.
  if (turn.ask && !turn.ask->options.empty())
    log_.pending = PendingCall{meant.call.action, meant.call.slots, "items"};
  return turn;
}

std::optional<Interpretation> AppRun::pending_answer(const PendingCall& pending) const {
  const AppAction* action = app_.find_action(pending.action);
  if (!action) return std::nullopt;
  const auto slot = std::find_if(action->slots.begin(), action->slots.end(),
                                 [&](const AppSlot& one) { return one.name == pending.slot; });
  if (slot == action->slots.end()) return std::nullopt;
  const auto value = read_slot(app_, *slot, decision_.query);
  if (!value) return std::nullopt;
  Interpretation out;
  out.call.action = pending.action;
  out.call.slots = pending.slots;
  out.call.slots[pending.slot] = *value;
  for (const AppSlot& other : action->slots) {
    if (other.is_required && !out.call.slots.contains(other.name)) out.missing.push_back(other.name);
  }
  return out;
}

bool AppRun::call(AppCall call, AppTurn& turn) {
  call.id = call_id_;
  call.text = decision_.resolved_query;
  call.language = decision_.language;
  call.shown = request_.awaiting && !request_.awaiting->options.empty() ? request_.awaiting->options
                                                                        : request_.results;
  auto reply = handler_.handle(app_, call, state_);
  if (!reply) {
    turn.error = reply.error().message;
    turn.text = say("handler_down");
    turn.active_app = request_.active_app;
    return false;
  }
  for (AppEvent& event : reply->events) {
    handler_.apply()(event, state_);
    events_.push_back(std::move(event));
  }
  turn.text = std::move(reply->text);
  turn.list = std::move(reply->list);
  turn.ask = std::move(reply->ask);
  if (reply->is_finished) turn.active_app.clear();
  return true;
}

}  // namespace signalbox

#include "app/app_log.h"

#include <algorithm>
#include <set>

namespace signalbox {
namespace {

namespace json = boost::json;

Result<AppEvent> event_from(const json::value& value) {
  const json::object* object = value.if_object();
  if (!object) return fail(ErrorCode::Corrupt, "an event is no object");
  const json::value* number = object->if_contains("n");
  const json::value* call = object->if_contains("call");
  const json::value* type = object->if_contains("type");
  const json::value* data = object->if_contains("data");
  if (!number || !number->is_int64() || !call || !call->is_string() || !type || !type->is_string() ||
      !data || !data->is_object())
    return fail(ErrorCode::Corrupt, "an event lacks a field");
  return AppEvent{number->get_int64(), std::string(call->get_string()), std::string(type->get_string()),
                  data->get_object()};
}

std::string text_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

std::optional<PendingCall> pending_from(const json::value* value) {
  const json::object* object = value ? value->if_object() : nullptr;
  const json::value* slots = object ? object->if_contains("slots") : nullptr;
  if (!slots || !slots->is_object()) return std::nullopt;
  return PendingCall{text_in(*object, "action"), slots->get_object(), text_in(*object, "slot")};
}

void fold_in(const AppEvent& event, ApplyEvent apply, json::object& state) {
  if (event.type == AppLog::kReset)
    state.clear();
  else
    apply(event, state);
}

}  // namespace

Result<AppLog> AppLog::from_json(const json::value& value) {
  const json::object* object = value.if_object();
  const json::value* events = object ? object->if_contains("events") : nullptr;
  const json::value* base = object ? object->if_contains("base") : nullptr;
  const json::value* next = object ? object->if_contains("next") : nullptr;
  if (!events || !events->is_array() || !base || !base->is_object() || !next || !next->is_int64())
    return fail(ErrorCode::Corrupt, "no app log");
  AppLog log;
  log.base_ = base->get_object();
  log.next_ = next->get_int64();
  for (const json::value& item : events->get_array()) {
    auto event = event_from(item);
    if (!event) return tl::unexpected(event.error());
    log.events_.push_back(*std::move(event));
  }
  log.pending = pending_from(object->if_contains("pending"));
  if (const json::value* finished = object->if_contains("finished"))
    log.is_finished = finished->is_bool() && finished->get_bool();
  if (const json::value* touched = object->if_contains("touched"); touched && touched->is_int64())
    log.touched = touched->get_int64();
  return log;
}

json::object AppLog::to_json() const {
  json::array events;
  for (const AppEvent& event : events_) {
    events.push_back(
        {{"n", event.number}, {"call", event.call}, {"type", event.type}, {"data", event.data}});
  }
  json::object out{{"base", base_}, {"events", std::move(events)}, {"next", next_}};
  if (pending) {
    out["pending"] = {{"action", pending->action}, {"slots", pending->slots}, {"slot", pending->slot}};
  }
  if (is_finished) out["finished"] = true;
  if (touched != 0) out["touched"] = touched;
  return out;
}

void AppLog::add(const std::string& call, std::vector<AppEvent> events, ApplyEvent apply) {
  const bool is_known = std::any_of(events_.begin(), events_.end(),
                                    [&](const AppEvent& event) { return event.call == call; });
  if (is_known) return;
  for (AppEvent& event : events) {
    event.number = next_++;
    event.call = call;
    events_.push_back(std::move(event));
  }
  if (events_.size() > kMaxEvents) fold_oldest(apply);
}

bool AppLog::undo(const std::string& call) {
  const std::vector<AppEvent> left = counting();
  const bool is_known = std::any_of(events_.begin(), events_.end(),
                                    [&](const AppEvent& event) { return event.call == call; });
  if (left.empty() || is_known) return is_known;
  const std::string& last = left.back().call;
  for (const AppEvent& event : left) {
    if (event.call == last)
      events_.push_back({next_++, call, std::string(kUndone), {{"of", event.number}}});
  }
  return true;
}

std::vector<AppEvent> AppLog::counting() const {
  std::set<std::int64_t> undone;
  for (const AppEvent& event : events_) {
    if (event.type != kUndone) continue;
    const json::value* of = event.data.if_contains("of");
    if (of && of->is_int64()) undone.insert(of->get_int64());
  }
  std::vector<AppEvent> left;
  for (const AppEvent& event : events_) {
    if (event.type != kUndone && !undone.contains(event.number)) left.push_back(event);
  }
  return left;
}

json::object AppLog::state(ApplyEvent apply) const {
  json::object state = base_;
  for (const AppEvent& event : counting()) fold_in(event, apply, state);
  return state;
}

void AppLog::fold_oldest(ApplyEvent apply) {
  const std::vector<AppEvent> left = counting();
  const std::size_t kept = std::min(left.size(), kMaxEvents / 2);
  for (std::size_t i = 0; i + kept < left.size(); ++i) fold_in(left[i], apply, base_);
  events_.assign(left.end() - static_cast<std::ptrdiff_t>(kept), left.end());
}

}  // namespace signalbox

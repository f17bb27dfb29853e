// What happened in an app, as events; its state is their fold.
//
// An event is never changed or taken away. Undoing is an event too: the one it names no longer counts.
// So is starting over: what stood before it is gone, until it is undone.
// The same events always give the same state. The log is bounded: when it grows long, its oldest events
// are folded into a base and can no longer be undone.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

struct AppEvent {
  std::int64_t number = 0;  // counts from 1, never used twice
  std::string call;         // the id of the call that caused it: the same call adds its events once
  std::string type;
  boost::json::object data;
};

// What an app asked the user for: the call that goes on with the answer.
struct PendingCall {
  std::string action;
  boost::json::object slots;
  std::string slot;  // the one the answer fills

  bool operator==(const PendingCall&) const = default;
};

// Gives the state after an event. Pure; an event that makes no sense leaves the state as it is.
using ApplyEvent = void (*)(const AppEvent& event, boost::json::object& state);

class AppLog {
 public:
  static constexpr std::size_t kMaxEvents = 200;
  static constexpr std::string_view kUndone = "undone";
  static constexpr std::string_view kReset = "reset";

  // Corrupt when the value is no log.
  static Result<AppLog> from_json(const boost::json::value& value);
  boost::json::object to_json() const;

  // Events of a call that is in the log already are left out: a retry changes nothing.
  void add(const std::string& call, std::vector<AppEvent> events, ApplyEvent apply);
  // Takes back the last event that still counts, with all others of its call. False: there is none.
  bool undo(const std::string& call);

  boost::json::object state(ApplyEvent apply) const;
  const std::vector<AppEvent>& events() const { return events_; }
  bool is_empty() const { return events_.empty() && base_.empty(); }

  std::optional<PendingCall> pending;
  bool is_finished = false;  // "done" was said: the next start begins anew
  std::int64_t touched = 0;  // seconds since 1970; when a message last reached the app

 private:
  std::vector<AppEvent> counting() const;
  void fold_oldest(ApplyEvent apply);

  boost::json::object base_;  // what events before the first one here made
  std::vector<AppEvent> events_;
  std::int64_t next_ = 1;
};

}  // namespace signalbox

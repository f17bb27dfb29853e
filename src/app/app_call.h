// One thing a user wants from an app: an action or a view with its slots, and what the app answers.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/app_log.h"
#include "app/manifest.h"
#include "signalbox/decision.h"

namespace signalbox {

struct AppCall {
  std::string id;      // the same id is the same call: a retry adds nothing
  std::string action;  // a name of the manifest; "start", "undo", "help", "cancel" or "done"
  boost::json::object slots;
  std::vector<std::string> shown;  // the last list the user saw, for "the second one"
  std::string text;                // the message
  std::string language;            // of the answer
};

struct AppReply {
  std::string text;
  std::vector<AppEvent> events;   // type and data; the log numbers them
  std::vector<std::string> list;  // what was shown, for "the second one"
  std::optional<Ask> ask;
  bool is_finished = false;  // the app ends with this
};

// A thing an app answers calls with. Never changes the state itself: it gives events.
class AppHandler {
 public:
  virtual ~AppHandler() = default;
  // Timeout or Upstream when it could not answer: nothing happened. Thread-safe.
  virtual Result<AppReply> handle(const AppManifest& app, const AppCall& call,
                                  const boost::json::object& state) = 0;
  virtual ApplyEvent apply() const = 0;
};

}  // namespace signalbox

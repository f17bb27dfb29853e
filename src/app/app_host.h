// Runs the apps of a profile: from a routed message to events, a new state and an answer.
//
// A question never changes a state: only what the router calls an action reaches one. When a handler
// fails, nothing happened and the user is told. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/app_call.h"
#include "net/http_client.h"
#include "signalbox/request.h"

namespace signalbox {

// What a turn left behind, to be kept with the session.
struct AppTurn {
  std::string text;        // what the user is told
  std::string active_app;  // empty: none
  std::string app_state;   // every app's log, as a JSON object
  std::vector<std::string> list;
  std::optional<Ask> ask;
  std::string error;        // why the handler could not do it; the text says it in the user's words
  bool is_dropped = false;  // the app's log is thrown away
};

class AppHost {
 public:
  // Reads every manifest of a folder. No folder: no apps. InvalidInput: a bad manifest, or the same
  // name twice.
  static Result<std::unique_ptr<AppHost>> open(const std::string& folder,
                                               std::shared_ptr<HttpClient> http,
                                               std::shared_ptr<const Clock> clock);

  bool has(const std::string& app) const { return apps_.contains(app); }

  // For a decision whose target is an app. `call_id` tells a repeated turn from a new one. Empty: no
  // app of that name here.
  std::optional<AppTurn> run(const Decision& decision, const Request& request,
                             const std::string& call_id, bool wants_view) const;

  // The state of one app, for people to look at.
  boost::json::object state(const std::string& app, const std::string& app_state) const;

 private:
  struct Hosted {
    std::shared_ptr<const AppManifest> manifest;
    std::shared_ptr<AppHandler> handler;
  };
  void forget_old(boost::json::object& logs) const;

  std::map<std::string, Hosted> apps_;
  std::shared_ptr<const Clock> clock_;
};

}  // namespace signalbox

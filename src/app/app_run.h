// One message for one app: what it means, what the handler makes of it, and what is left in the log.
//
// An app that is opened starts, or goes on where it was left; what else the message says is done in the
// same breath. What the app asked for is filled in by the answer. Nothing is kept of a call that
// failed.
#pragma once

#include <string>

#include "app/app_host.h"
#include "app/interpret.h"

namespace signalbox {

class AppRun {
 public:
  AppRun(const AppManifest& app, AppHandler& handler, const Decision& decision, const Request& request,
         std::string call_id, AppLog& log)
      : app_(app),
        handler_(handler),
        decision_(decision),
        request_(request),
        call_id_(std::move(call_id)),
        log_(log) {}

  // Changes the log. `is_dropped` in the turn: the log goes altogether.
  AppTurn run(bool wants_view);

 private:
  AppTurn answer(bool wants_view);
  std::string say(const std::string& key) const { return app_.text(key, decision_.language); }
  bool has_list_to_go_on() const;
  AppTurn told(const std::string& key) const;
  AppTurn open(std::optional<Interpretation> meant);
  AppTurn perform(Interpretation meant);
  AppTurn ask_for(const Interpretation& meant);
  AppTurn control(const std::string& action);
  // The pending call with the answer in its place; empty when the message is no answer to it.
  std::optional<Interpretation> pending_answer(const PendingCall& pending) const;
  // Asks the handler; its events count at the end of the run. False: it failed, and the turn says so.
  bool call(AppCall call, AppTurn& turn);

  const AppManifest& app_;
  AppHandler& handler_;
  const Decision& decision_;
  const Request& request_;
  std::string call_id_;
  AppLog& log_;
  boost::json::object state_ = log_.state(handler_.apply());  // with the events of this run
  std::vector<AppEvent> events_;
};

}  // namespace signalbox

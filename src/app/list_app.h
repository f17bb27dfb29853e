// The built-in app that keeps a list: things with fields, a status and a rating.
//
// `start` takes a title and first things, `add` adds, `remove` takes away, any other action with
// `items` sets its other slots on them, or counts a field up; views show what their filters leave. What
// an action is called and how it is said is the manifest's.
#pragma once

#include "app/app_call.h"

namespace signalbox {

class ListApp : public AppHandler {
 public:
  Result<AppReply> handle(const AppManifest& app, const AppCall& call,
                          const boost::json::object& state) override;
  ApplyEvent apply() const override;
};

}  // namespace signalbox

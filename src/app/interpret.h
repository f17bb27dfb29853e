// Reads a message as a call of an app: which action or view, with which slots.
//
// By the manifest's patterns alone; the first that fits, in the order of the manifest. A value comes
// from the message or it is missing: nothing is invented. Pure; linear in the message.
#pragma once

#include <optional>
#include <string>

#include "app/app_call.h"

namespace signalbox {

struct Interpretation {
  AppCall call;
  std::vector<std::string> missing;  // names of required slots the message does not fill
};

// `wants_view`: only views are meant; the one named "list" when none fits. Empty: nothing the app can
// do.
std::optional<Interpretation> interpret(const AppManifest& app, const std::string& message,
                                        bool wants_view);

// A thing as the user wrote it, with the fields found in it: {"name": "Senso-ji", "place": "Asakusa"}.
boost::json::object read_item(const AppManifest& app, const std::string& text);

}  // namespace signalbox

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

// `wants_view`: only views are meant; the one named "list" when none fits. Else an action, but for
// "start"; where none fits a view. Empty: nothing the app can do.
std::optional<Interpretation> interpret(const AppManifest& app, const std::string& message,
                                        bool wants_view);

// The message as that action or view alone; empty when none of its patterns fits.
std::optional<Interpretation> interpret_as(const AppManifest& app, const std::string& action,
                                           const std::string& message);

// What the user answered when a slot was asked for; empty when it holds no such value.
std::optional<boost::json::value> read_slot(const AppManifest& app, const AppSlot& slot,
                                            const std::string& text);

// A thing as the user wrote it, with the fields found in it: {"name": "Senso-ji", "place": "Asakusa"}.
boost::json::object read_item(const AppManifest& app, const std::string& text);

}  // namespace signalbox

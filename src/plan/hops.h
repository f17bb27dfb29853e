// Questions that reach their object through another one: "who owns the service that Y depends on?"
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "plan/reading.h"

namespace signalbox::planning {

// First what must be found ("the service that Y depends on"), then what is asked of it ("who owns the
// service"). Nothing when the link itself is all that is asked ("list the services that Y depends on").
std::optional<std::pair<std::string, std::string>> read_hops(const Reading& reading, Range clause);

}  // namespace signalbox::planning

// Decisions as JSON, with the names of the design.
#pragma once

#include <boost/json.hpp>

#include "signalbox/decision.h"
#include "signalbox/result.h"

namespace signalbox {

boost::json::object decision_to_json(const Decision& decision);

// {"error": {"message", "type", "code"}}, the shape OpenAI's clients know.
boost::json::object error_to_json(const Error& error);

}  // namespace signalbox

// Decisions as JSON, with the names of the design.
#pragma once

#include <boost/json.hpp>

#include "signalbox/decision.h"
#include "signalbox/result.h"

namespace signalbox {

// A decision's plan; a session keeps the last one in the same shape.
boost::json::object plan_to_json(const Plan& plan);

boost::json::object decision_to_json(const Decision& decision);

// {"error": {"message", "type", "code"}}, the shape OpenAI's clients know.
boost::json::object error_to_json(const Error& error);

}  // namespace signalbox

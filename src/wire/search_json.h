// Searches and tool calls as JSON: what `signalbox search` and the server read and print.
#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "retrieve/run_plan.h"
#include "retrieve/tools.h"

namespace signalbox {

// [{number, id, file, first_line, last_line, score, title, text}]; numbers count from 1, so that a
// later message can name one.
boost::json::array hits_to_json(const std::vector<Hit>& hits);

// {tool, matches, related, files}
boost::json::object outcome_to_json(std::string_view tool, const ToolOutcome& outcome);

// {route, plan, calls, matches (with their tag and the calls that found them), related, answer}
boost::json::object plan_run_to_json(const Decision& decision, const PlanRun& run);

// [{"type": "function", "function": {name, description, parameters}}], as chat APIs take them.
boost::json::array tools_to_json();

// Checks the arguments against the tool's schema: names, kinds, limits, what is required. NotFound:
// no such tool. InvalidInput names the argument.
Result<ToolCall> tool_call_from_json(std::string_view tool, const boost::json::object& arguments);

}  // namespace signalbox

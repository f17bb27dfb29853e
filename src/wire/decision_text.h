// A decision's JSON without a tree in between: the text of json_text(decision_to_json(decision)).
#pragma once

#include <string>

#include "signalbox/decision.h"
#include "signalbox/result.h"

namespace signalbox {

void append_decision(std::string& out, const Decision& decision);

// {"error": {"message", "type", "code"}}
void append_error(std::string& out, const Error& error);

}  // namespace signalbox

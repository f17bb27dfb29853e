// What `signalbox search` shows people in a terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal.h"
#include "retrieve/run_plan.h"

namespace signalbox {

void print_hits(const std::vector<Hit>& hits, const Style& style);
void print_outcome(const ToolOutcome& outcome, const Style& style);
// How the question was routed, which calls ran, and the answer with its citations.
void print_run(const std::string& text, const Decision& decision, const PlanRun& run,
               const Style& style);

}  // namespace signalbox

// Turns questions and a route's tools into calls with their arguments.
//
// One call a question and tool, with that question's own text. A tool for which the question holds no
// argument is not called. Ids are "t1", "t2", … in the order of the calls.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plan/lexicon.h"
#include "signalbox/decision.h"

namespace signalbox::planning {

// The tools that remain once hybrid_search has replaced vector_search and grep_search; once each.
std::vector<std::string> choose_tools(std::span<const std::string> tools);

// `questions` are the sub-questions, or the whole query as the only one. A read_file that waits for
// graph_related takes its path from the hits: its `path` is "$t1.path" and `after` names the call.
std::vector<ToolCall> make_tool_calls(std::span<const SubQuestion> questions,
                                      std::span<const std::string> tools, const Lexicon& lexicon);

}  // namespace signalbox::planning

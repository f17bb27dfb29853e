// The search tools by the names a plan uses, each with one schema of its arguments.
//
//   grep_search    {query, regex?, context?, k?}          lines that hold the words or match
//   vector_search  {query, k?}                            passages by meaning
//   hybrid_search  {semantic_query, exact_keywords?, k?}  by both
//   graph_related  {key | query, depth?, k?}              what is linked with it, both directions
//   read_file      {path, first_line?, last_line?}        lines of a file
//   local_file_qa  {query, filename_prefix?, k?}          passages inside the files that are meant
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "retrieve/graph.h"
#include "retrieve/search_engine.h"
#include "signalbox/decision.h"

namespace signalbox {

struct ToolOutcome {
  std::vector<Hit> hits;
  std::vector<Related> related;    // of graph_related
  std::vector<std::string> paths;  // files that a later call may read, the best first
};

// InvalidInput: an unknown tool, a missing or bad argument, or one that needs an index on this machine.
// What the tool itself could not do comes with its own code and a message that begins with a word in
// brackets.
Result<ToolOutcome> run_tool(const SearchEngine& engine, const ToolCall& call);

struct ToolDescription {
  std::string_view name;
  std::string_view description;
  std::string_view parameters;  // JSON Schema
};

// All of them, in OpenAI's shape when written as {"type": "function", "function": {…}}.
const std::vector<ToolDescription>& search_tools();

}  // namespace signalbox

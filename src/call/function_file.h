// Functions as people write them down, read into a registry.
//
// Read are: our own YAML (`functions:` with risk, intents, patterns, examples, handler, and `import:`
// of OpenAPI files and MCP servers), OpenAI's `tools`, MCP's tools, an OpenAPI 3 document, a list of
// descriptions in other systems' words (JSONL with api_name and api_description), and a map of names to
// descriptions. docs/functions.md shows each. Pure but for the file itself.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "call/registry.h"

namespace signalbox {

// How an MCP server is reached: a program and its arguments, or an address.
struct McpServer {
  std::string name;
  std::vector<std::string> command;
  std::string url;
  std::vector<std::string> intents;
  std::map<std::string, Risk> risks;  // by tool; what is not named is asked of the server's own hints
  std::chrono::milliseconds deadline{10'000};
};

struct FunctionFile {
  FunctionRegistry registry;
  std::vector<McpServer> servers;  // their tools are not in the registry yet
  std::string database;            // SQLite file of the built-in record functions; empty: none
};

// InvalidInput names the function and what is wrong with it.
Result<FunctionFile> load_functions(const std::string& path);
Result<FunctionFile> read_functions(const boost::json::value& root, const std::string& folder);

// One function in any of these forms. `intents` is used where it names none.
Result<Function> read_function(const boost::json::object& object,
                               const std::vector<std::string>& intents);

}  // namespace signalbox

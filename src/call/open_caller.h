// From a file of functions to a caller that is ready: MCP servers asked for their tools, the encoder
// and the slots' LLM bound.
#pragma once

#include <memory>
#include <string>

#include "call/caller.h"
#include "signalbox/profile.h"

namespace signalbox {

class McpServers;

struct FunctionsOptions {
  const Profile* profile = nullptr;      // whose slots bind the LLM; null: no LLM
  std::shared_ptr<LlmClient> llm{};      // instead of the slots' own
  std::shared_ptr<const Clock> clock{};  // empty: the machine's
};

struct OpenedFunctions {
  std::shared_ptr<const FunctionCaller> caller;
  std::shared_ptr<McpServers> servers;  // of the functions they run
  std::string database;                 // of the built-in record functions; empty: none
  std::vector<std::string> notes;       // servers that could not be reached: their tools are not there
};

Result<OpenedFunctions> open_functions(const std::string& path, const FunctionsOptions& options);

// A clock that stands at the start of that day. InvalidInput: no ISO date.
Result<std::shared_ptr<const Clock>> clock_at(const std::string& date);

}  // namespace signalbox

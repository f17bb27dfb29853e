// Asks a model for one JSON object, in the best way its backend takes.
//
// A tool call first, text under a JSON Schema second, plain text last. A way the backend refuses
// falls to the next and is remembered. An answer in which no object can be found is asked for once
// more under a schema, because a backend that overlooks tools may still keep to one; an object that
// is wrong is the model's answer, and stays its answer. The deadline is checked before every call.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/deadline.h"
#include "llm/backend_memory.h"
#include "llm/llm_client.h"

namespace signalbox {

struct Question {
  LlmRequest request;  // slot, messages, sampling; budget, tools and schema are set a call
  LlmTool tool;        // its parameters are the schema of every way
  int max_calls = 3;
};

enum class AskFailure {
  None,
  Unparsable,   // answers came, and none could be read
  Unavailable,  // no answer came
  Timeout,      // none came in time
  Cancelled,    // nobody waits for it any more
};

struct AskOutcome {
  std::optional<boost::json::object> object;
  AskFailure failure = AskFailure::None;
  std::string why;         // of the failure, for an operator
  Rung rung = Rung::Tool;  // of the last call; Plain when text came instead of a tool call
  int calls = 0;           // paid, successful or not
};

// Blocks for at most what is left of the deadline. Thread-safe.
AskOutcome ask_for_object(LlmClient& llm, const Question& question, const Deadline& deadline,
                          const Clock& clock, BackendMemory& memory, std::stop_token cancel = {});

}  // namespace signalbox

// A language model that answers messages with text or tool calls, whatever stands behind it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "signalbox/result.h"

namespace signalbox {

struct LlmToolCall {
  std::string id;
  std::string name;
  std::string arguments;  // a JSON object, as text
};

struct LlmMessage {
  std::string role;  // "system", "user", "assistant" or "tool"
  std::string content;
  std::vector<std::string> images;      // addresses or data: URLs; passed through as image parts
  std::vector<LlmToolCall> tool_calls;  // of an assistant's earlier turn
  std::string tool_call_id;             // of a tool's answer
};

struct LlmTool {
  std::string name;
  std::string description;
  std::string parameters;  // JSON Schema, as text
};

struct LlmRequest {
  std::string slot;   // whose binding serves it: "main", "conversational", "classifier"
  std::string model;  // empty: the slot's own
  std::vector<LlmMessage> messages;
  std::vector<LlmTool> tools;
  std::string tool_choice;  // the tool that must be called; empty: the model's choice
  std::string json_schema;  // what the text must fit; empty: free text
  int max_tokens = 512;
  double temperature = 0;
  std::uint64_t seed = 0;
  Duration budget{};       // what is left of the request's deadline; zero: none
  std::stop_token cancel;  // the client went away
};

struct LlmUsage {
  int prompt_tokens = 0;
  int cached_tokens = 0;  // of the prompt, taken from an earlier call
  int completion_tokens = 0;
  Duration to_first_token{};
  Duration total{};
};

struct LlmAnswer {
  std::string text;
  std::vector<LlmToolCall> tool_calls;
  std::string finish;  // "stop", "length" or "tool_calls"
  std::string model;   // the one that answered
  LlmUsage usage;
};

// Called with each piece of text as it comes, on the caller's thread; false stops the answer.
using TextSink = std::function<bool(std::string_view piece)>;

class LlmClient {
 public:
  virtual ~LlmClient() = default;
  // Blocks until the answer is whole, the budget is spent or the request is cancelled. Timeout,
  // Overloaded or Upstream when no answer came; a fallback takes over. InvalidInput when the backend
  // refuses a request of this kind (tools, a schema, images): another kind may pass. The message is
  // for the trace: it holds neither prompt nor key. Thread-safe.
  virtual Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) = 0;
};

}  // namespace signalbox

// A model whose every answer is a function of the request: for delays, refusals and answers by voice.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

#include "llm/llm_client.h"

namespace signalbox {

class ScriptedLlm : public LlmClient {
 public:
  using Script = std::function<Result<LlmAnswer>(const LlmRequest&)>;
  explicit ScriptedLlm(Script script) : script_(std::move(script)) {}

  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& = {}) override {
    ++calls_;
    return script_(request);
  }
  int calls() const { return calls_; }

 private:
  Script script_;
  std::atomic<int> calls_{0};
};

inline LlmAnswer text_answer(std::string text) {
  LlmAnswer out;
  out.text = std::move(text);
  out.finish = "stop";
  return out;
}

inline LlmAnswer tool_answer(std::string tool, std::string arguments) {
  LlmAnswer out;
  out.tool_calls.push_back({"call_1", std::move(tool), std::move(arguments)});
  out.finish = "tool_calls";
  return out;
}

// Waits, as a backend that stalls does, until the request is cancelled or its budget is spent.
inline Result<LlmAnswer> stall(const LlmRequest& request) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, request.cancel, request.budget, [] { return false; });
  if (request.cancel.stop_requested()) return fail(ErrorCode::Upstream, "cancelled");
  return fail(ErrorCode::Timeout, "timed out");
}

}  // namespace signalbox

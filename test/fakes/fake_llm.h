// Answers from a list, one a call; "!timeout", "!overloaded" and "!down" fail so. Remembers its
// prompts.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "llm/llm_client.h"

namespace signalbox {

class FakeLlm : public LlmClient {
 public:
  explicit FakeLlm(std::vector<std::string> answers) : answers_(std::move(answers)) {}

  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override {
    const std::lock_guard lock(mutex_);
    std::string prompt;
    for (const LlmMessage& message : request.messages) {
      if (!prompt.empty()) prompt += '\n';
      prompt += message.content;
    }
    prompts_.push_back(std::move(prompt));
    if (answers_.empty()) return fail(ErrorCode::Upstream, "the fake has no answer");
    // The last answer serves all further calls.
    const std::string answer = answers_[std::min(prompts_.size(), answers_.size()) - 1];
    if (answer == "!timeout") return fail(ErrorCode::Timeout, "timed out");
    if (answer == "!overloaded") return fail(ErrorCode::Overloaded, "queue full");
    if (answer == "!down") return fail(ErrorCode::Upstream, "connection refused");
    if (sink) sink(answer);
    LlmAnswer out;
    out.text = answer;
    out.finish = "stop";
    out.model = "fake";
    return out;
  }

  // Starts over with other answers.
  void set_answers(std::vector<std::string> answers) {
    const std::lock_guard lock(mutex_);
    answers_ = std::move(answers);
    prompts_.clear();
  }

  std::vector<std::string> prompts() const {
    const std::lock_guard lock(mutex_);
    return prompts_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> answers_;
  std::vector<std::string> prompts_;  // guarded by mutex_
};

}  // namespace signalbox

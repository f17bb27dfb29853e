// Answers from a list, one a call; "!timeout", "!overloaded", "!down" and "!refused" fail so, and
// "!call {…}" is a call of the tool it was given. "?words? answer" answers every prompt that holds the
// words, whatever its turn. Remembers what it was asked.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llm/llm_client.h"

namespace signalbox {

class FakeLlm : public LlmClient {
 public:
  explicit FakeLlm(std::vector<std::string> answers) { set_answers(std::move(answers)); }

  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    prompts_.push_back(prompt_of(request));
    const std::string answer = answer_to(prompts_.back());
    if (answer.empty()) return fail(ErrorCode::Upstream, "the fake has no answer");
    if (answer == "!timeout") return fail(ErrorCode::Timeout, "timed out");
    if (answer == "!overloaded") return fail(ErrorCode::Overloaded, "queue full");
    if (answer == "!down") return fail(ErrorCode::Upstream, "connection refused");
    if (answer == "!refused") return fail(ErrorCode::InvalidInput, "not supported");
    LlmAnswer out;
    out.model = "fake";
    out.finish = "stop";
    if (answer.starts_with("!call ") && !request.tools.empty()) {
      out.tool_calls.push_back({"call_1", request.tools.front().name, answer.substr(6)});
      out.finish = "tool_calls";
      return out;
    }
    if (sink) sink(answer);
    out.text = answer;
    return out;
  }

  // Starts over with other answers.
  void set_answers(std::vector<std::string> answers) {
    const std::lock_guard lock(mutex_);
    matched_.clear();
    in_turn_.clear();
    prompts_.clear();
    requests_.clear();
    turn_ = 0;
    for (std::string& answer : answers) {
      const std::size_t close = answer.starts_with('?') ? answer.find("? ", 1) : std::string::npos;
      if (close == std::string::npos)
        in_turn_.push_back(std::move(answer));
      else
        matched_.emplace_back(answer.substr(1, close - 1), answer.substr(close + 2));
    }
  }

  std::vector<std::string> prompts() const {
    const std::lock_guard lock(mutex_);
    return prompts_;
  }
  std::vector<LlmRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  static std::string prompt_of(const LlmRequest& request) {
    std::string prompt;
    for (const LlmMessage& message : request.messages) {
      if (!prompt.empty()) prompt += '\n';
      prompt += message.content;
    }
    return prompt;
  }

 private:
  std::string answer_to(const std::string& prompt) {
    for (const auto& [words, answer] : matched_) {
      if (prompt.find(words) != std::string::npos) return answer;
    }
    if (in_turn_.empty()) return "";
    // The last answer serves all further calls.
    return in_turn_[std::min(turn_++, in_turn_.size() - 1)];
  }

  mutable std::mutex mutex_;
  std::vector<std::string> in_turn_;  // guarded by mutex_, as all below
  std::vector<std::pair<std::string, std::string>> matched_;
  std::size_t turn_ = 0;
  std::vector<std::string> prompts_;
  std::vector<LlmRequest> requests_;
};

}  // namespace signalbox

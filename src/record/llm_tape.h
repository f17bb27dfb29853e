// What models said while deciding, kept in the decision log and given back when a log is replayed.
//
// An answer is found by a digest of all that was asked: messages, tools, schema, model, seed. It does
// not matter which thread asked. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "llm/llm_client.h"
#include "record/decision_log.h"

namespace signalbox {

std::string llm_digest(const LlmRequest& request);
std::string llm_answer_json(const Result<LlmAnswer>& answer);  // errors are answers too
Result<LlmAnswer> llm_answer_from_json(const std::string& text);

// Passes every call on and keeps what came back.
class RecordingLlm : public LlmClient {
 public:
  RecordingLlm(std::shared_ptr<LlmClient> inner, DecisionLog& log, std::shared_ptr<const Clock> clock);
  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override;

 private:
  std::shared_ptr<LlmClient> inner_;
  DecisionLog& log_;
  std::shared_ptr<const Clock> clock_;
};

// Answers from a tape: of several answers to the same question the last one up to the time set.
class TapeLlm : public LlmClient {
 public:
  explicit TapeLlm(const std::vector<LoggedAnswer>& answers);
  void set_time(std::int64_t at) { at_ = at; }
  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override;

 private:
  std::map<std::string, std::map<std::int64_t, std::string>> answers_;
  std::atomic<std::int64_t> at_{INT64_MAX};
};

}  // namespace signalbox

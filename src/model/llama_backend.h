// The LlmClient of a GGUF file: callers wait in a bounded queue before the one thread that owns the
// model.
//
// A full queue is Overloaded at once. A caller whose budget is spent, whose client went away or whose
// sink has enough (what came is then the answer) leaves at once; the model's thread notices within a
// token or a part of the prompt.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "llm/gguf_backend.h"

namespace signalbox {

class LlamaEngine;

class LlamaBackend : public LlmClient {
 public:
  static Result<std::shared_ptr<LlamaBackend>> create(const GgufOptions& options);
  ~LlamaBackend() override;
  // Ends its thread: what runs is stopped, what waits is left. Once.
  void stop();

  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override;

 private:
  struct Job;

  LlamaBackend(std::unique_ptr<LlamaEngine> engine, std::size_t queue);
  void serve();
  std::shared_ptr<Job> next_job();
  void abandon(const std::shared_ptr<Job>& job);

  std::unique_ptr<LlamaEngine> engine_;  // touched by thread_ alone
  const std::size_t most_waiting_;

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::shared_ptr<Job>> waiting_;  // guarded by mutex_
  std::atomic<bool> closing_ = false;         // written under mutex_

  std::thread thread_;
};

}  // namespace signalbox

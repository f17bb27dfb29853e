// One model server or model file, shared by all slots and profiles that name it.
//
//   http://… https://…   an OpenAI-compatible base address, with or without /v1
//   ollama://HOST:PORT   Ollama's own interface
//   gguf:PATH            a model file in this process; loaded in the background at first use
//
// Remembers how its last call or check went, so that a health page need not ask. Thread-safe.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "llm/gguf_backend.h"
#include "llm/http_llm.h"

namespace signalbox {

class AsioHttpClient;

enum class Reach { Unknown, Reachable, Unreachable };

struct BackendState {
  Reach reach = Reach::Unknown;
  BreakerState breaker = BreakerState::Closed;
  std::string problem;  // why it cannot be reached; for people
};

class LlmBackend : public LlmClient {
 public:
  explicit LlmBackend(std::unique_ptr<HttpLlm> server);
  explicit LlmBackend(GgufOptions file);

  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override;
  // Whether it is there and has the model, within the budget.
  Result<void> check(const std::string& model, Duration budget, std::stop_token cancel = {});
  // In the background, one at a time; the backend's end cancels them. Both return at once.
  void refresh(const std::string& model, Duration age);  // checks, when the last look is older
  // One token, so that the first caller need not wait for the model to load; once a model.
  void warm_up(const std::string& model, Duration budget);

  BackendState state() const;

 private:
  using Loaded = Result<std::shared_ptr<LlmClient>>;

  Result<LlmAnswer> complete_file(const LlmRequest& request, const TextSink& sink);
  std::shared_future<Loaded> load();
  void note(const std::string& problem);
  void warm_up_now(const std::string& model, Duration budget, std::stop_token cancel);

  std::unique_ptr<HttpLlm> server_;  // or
  GgufOptions file_;
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::shared_future<Loaded> loaded_;
  Reach reach_ = Reach::Unknown;
  std::string problem_;
  std::map<std::string, TimePoint> looked_at_;   // by model
  std::map<std::string, std::jthread> warming_;  // by model; last, so that they end first
  std::map<std::string, std::jthread> looking_;
};

// One backend for each (address, key). Thread-safe.
class LlmBackends {
 public:
  LlmBackends();
  ~LlmBackends();

  // InvalidInput: the address is none; its text does not repeat it.
  Result<std::shared_ptr<LlmBackend>> get(const std::string& address, const std::string& key);

  // The ones of this process: every profile's.
  static LlmBackends& process();

 private:
  std::mutex mutex_;
  // Guarded by mutex_:
  std::shared_ptr<AsioHttpClient> http_;  // made with the first server
  std::map<std::pair<std::string, std::string>, std::shared_ptr<LlmBackend>> known_;
};

// An address as it may be shown: without user, password and query.
std::string shown_address(const std::string& address);

}  // namespace signalbox

// A model behind an HTTP interface: one call with its deadline, its retries and a circuit breaker.
//
// Retries happen only while nothing of an answer came: connection refused or reset, 429, and 503 with
// Retry-After, each inside the budget, with a growing, jittered pause. Never after a token. The key
// goes into one header and nowhere else. Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "llm/chat_dialect.h"
#include "llm/chat_failure.h"
#include "llm/circuit_breaker.h"

namespace signalbox {

struct HttpLlmOptions {
  std::string key;
  Duration connect_timeout = std::chrono::seconds(3);
  Duration silence = std::chrono::minutes(2);  // longest pause of the server where there is no budget
  int retries = 2;
  Duration pause = std::chrono::milliseconds(50);  // before the first retry; doubles
  int max_in_flight = 256;                         // one more is Overloaded at once
  BreakerOptions breaker;
};

class HttpLlm : public LlmClient {
 public:
  HttpLlm(std::unique_ptr<ChatDialect> dialect, std::shared_ptr<HttpClient> http,
          HttpLlmOptions options, std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>());

  // Ends a little before the budget does (a twentieth of it, at most 10 ms): the steps that follow need
  // time too. Streams when there is a sink. A sink that has enough ends the call; the answer is what
  // came.
  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override;

  // Asks the server for its models and looks for `model` among them; empty: any. Passes the breaker
  // by. The error says in one line what is wrong.
  Result<void> check(const std::string& model, Duration budget, std::stop_token cancel = {});

  BreakerState breaker() const { return breaker_.state(); }
  const std::string& place() const { return place_; }  // host:port

 private:
  struct Call;
  tl::expected<LlmAnswer, ChatFailure> attempt(Call& call);
  void settle(const tl::expected<LlmAnswer, ChatFailure>& outcome);
  HttpRequest http_request(const Call& call) const;

  std::unique_ptr<ChatDialect> dialect_;
  std::shared_ptr<HttpClient> http_;
  HttpLlmOptions options_;
  std::shared_ptr<const Clock> clock_;
  std::string place_;
  CircuitBreaker breaker_;
  std::atomic<int> in_flight_{0};
};

}  // namespace signalbox

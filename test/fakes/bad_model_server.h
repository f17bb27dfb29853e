// A model server that fails in a chosen way, and a run of classifications against it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "llm/http_llm.h"
#include "net/asio_http_client.h"
#include "signalbox/router.h"
#include "test/fakes/scripted_server.h"

namespace signalbox {

enum class Fault {
  Garbage,       // bytes that are no HTTP
  NotJson,       // a web page instead of an answer
  UnknownRoute,  // a well-formed answer that names no route
  Stall,         // takes the request and says nothing
  StallMidBody,  // half an answer, then nothing
  CloseMidBody,  // half an answer, then hangs up
  Reset,         // hangs up with a reset
  TooMany,       // 429
  ServerError,   // 500
  SlowDrip,      // one byte every 5 ms
  HugeHeaders,   // a head without end
  Refused,       // nobody listens
};

inline constexpr Fault kAllFaults[] = {
    Fault::Garbage,      Fault::NotJson,      Fault::UnknownRoute, Fault::Stall,
    Fault::StallMidBody, Fault::CloseMidBody, Fault::Reset,        Fault::TooMany,
    Fault::ServerError,  Fault::SlowDrip,     Fault::HugeHeaders,  Fault::Refused,
};

inline const char* fault_name(Fault fault) {
  static constexpr const char* kNames[] = {
      "garbage", "not_json", "unknown_route", "stall",     "stall_mid_body", "close_mid_body",
      "reset",   "429",      "500",           "slow_drip", "huge_headers",   "refused"};
  return kNames[static_cast<int>(fault)];
}

inline void fail_as(Fault fault, ScriptedPeer& peer) {
  using namespace std::chrono_literals;
  const std::string answer =
      R"({"model":"m","choices":[{"message":{"content":"{\"route\":\"nowhere\",\"confidence\":0.9}"},"finish_reason":"stop"}]})";
  const std::string promise = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":[";
  while (peer.read_request()) {
    switch (fault) {
      case Fault::Garbage:
        peer.send(std::string("\x16\x03\x01\x00 no http\r\n\r\n", 15));
        return;
      case Fault::NotJson:
        peer.answer(200, "<html>Welcome</html>");
        break;
      case Fault::UnknownRoute:
        peer.answer(200, answer);
        break;
      case Fault::Stall:
        peer.wait(60s);
        return;
      case Fault::StallMidBody:
        peer.send(promise);
        peer.wait(60s);
        return;
      case Fault::CloseMidBody:
        peer.send(promise);
        return;
      case Fault::Reset:
        peer.reset();
        return;
      case Fault::TooMany:
        peer.answer(429, R"({"error":{"message":"slow down"}})", "Retry-After: 30\r\n");
        break;
      case Fault::ServerError:
        peer.answer(500, R"({"error":{"message":"out of memory"}})");
        break;
      case Fault::SlowDrip:
        for (const char c : "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + answer) {
          if (!peer.send(std::string(1, c)) || !peer.wait(5ms)) return;
        }
        return;
      case Fault::HugeHeaders:
        peer.send("HTTP/1.1 200 OK\r\n");
        while (peer.send("X-Filler: " + std::string(4000, 'x') + "\r\n")) {
        }
        return;
      case Fault::Refused:
        return;
    }
  }
}

struct FaultRun {
  int decided = 0;              // a decision came back
  int asked = 0;                // … for which the model was asked
  int believed = 0;             // … which claims to be the model's
  int explained = 0;            // … whose trace says that the LLM failed, in the classifier's line
  std::vector<double> late_ms;  // after the deadline, sorted; below zero: before it
};

// Routes `query` so many times, on so many threads, against a server that fails. The breaker is kept
// from opening, so that every call meets the fault.
inline FaultRun run_against(Fault fault, std::shared_ptr<const Profile> profile,
                            const std::string& query, int calls, int threads,
                            std::chrono::milliseconds deadline) {
  const ScriptedServer server([fault](ScriptedPeer& peer) { fail_as(fault, peer); });
  const std::string url =
      fault == Fault::Refused ? "http://127.0.0.1:" + std::to_string(closed_port()) : server.url();
  HttpLlmOptions options;
  options.breaker.failures = 1 << 30;
  RouterOptions router_options;
  router_options.llm = std::make_shared<HttpLlm>(
      *openai_dialect(url), std::make_shared<AsioHttpClient>(), std::move(options));
  const auto router = *Router::create(std::move(profile), std::move(router_options));
  FaultRun run;
  run.late_ms.resize(static_cast<std::size_t>(calls));
  std::atomic<int> next{0};
  std::atomic<int> decided{0};
  std::atomic<int> asked{0};
  std::atomic<int> believed{0};
  std::atomic<int> explained{0};
  const auto work = [&] {
    for (int i = next++; i < calls; i = next++) {
      Request request;
      request.query = query;
      request.deadline_ms = static_cast<int>(deadline.count());
      const auto start = std::chrono::steady_clock::now();
      const auto decision = router->route(request);
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
      run.late_ms[static_cast<std::size_t>(i)] = took.count() - static_cast<double>(deadline.count());
      if (!decision) continue;
      ++decided;
      if (decision->llm_calls > 0) ++asked;
      if (decision->decided_by == DecidedBy::Llm || decision->decided_by == DecidedBy::Ensemble)
        ++believed;
      for (const TraceLine& line : decision->trace) {
        if (line.step == "classifier" && line.outcome.find("LLM failed") != std::string::npos)
          ++explained;
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  }
  run.decided = decided;
  run.asked = asked;
  run.believed = believed;
  run.explained = explained;
  std::sort(run.late_ms.begin(), run.late_ms.end());
  return run;
}

}  // namespace signalbox

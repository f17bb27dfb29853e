// Traces for OpenTelemetry: each decision a span, each of its steps a child, sent as OTLP/HTTP JSON.
//
// add() never waits: what does not fit into the queue is dropped and counted. A thread of its own sends
// batches; a collector that is away costs the traces of that time and nothing else. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "net/http_client.h"
#include "signalbox/decision.h"

namespace signalbox {

struct SpanOptions {
  std::string endpoint;  // OTEL_EXPORTER_OTLP_ENDPOINT; /v1/traces is added
  std::string service = "signalbox";
  std::size_t queue = 2048;  // decisions
  std::size_t batch = 256;
  Duration pause = std::chrono::seconds(1);  // how long a batch may wait to fill
};

class SpanExport {
 public:
  SpanExport(SpanOptions options, std::shared_ptr<HttpClient> http);
  ~SpanExport();  // sends what waits, once

  // `traceparent` is the caller's header; without a good one the decision begins a trace of its own.
  bool add(const Decision& decision, const std::string& id, std::string_view traceparent);
  std::uint64_t sent() const { return sent_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Item {
    std::string trace_id;
    std::string parent_id;
    std::string decision_id;
    std::int64_t end_ns = 0;
    Decision decision;  // without texts of the message
  };
  void send_on();
  std::string body(const std::vector<Item>& items) const;

  SpanOptions options_;
  std::shared_ptr<HttpClient> http_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Item> queue_;  // guarded by mutex_
  bool is_ending_ = false;  // guarded by mutex_
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::thread sender_;
};

// "00-<32 hex>-<16 hex>-<2 hex>": the two ids. False when it is none, or an id is all zeros.
bool read_traceparent(std::string_view text, std::string& trace_id, std::string& parent_id);

}  // namespace signalbox

// What all exchanges of one HTTP client share: options, trust, counters, and the loop of its own
// thread.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "net/asio_http_client.h"
#include "net/client_loop.h"

namespace signalbox {

class ClientCore {
 public:
  explicit ClientCore(HttpClientOptions options);
  ~ClientCore();

  boost::asio::io_context& io() { return io_; }
  const HttpClientOptions& options() const { return options_; }
  void run() { io_.run(); }
  void stop() { io_.stop(); }

  // Reads the system's certificates, which takes 100 ms and more, on a thread of its own; once.
  void load_trust();
  bool is_trust_ready() const { return is_trust_ready_; }
  Result<boost::asio::ssl::context*> trust();

  HttpClientStats stats() const;
  void count_opened() { ++opened_; }
  void count_reused() { ++reused_; }
  // Tells this client's kept connections from another's in a loop that both use.
  std::uint64_t number() const { return number_; }
  ClientLoop::Keeping keeping() const {
    return {options_.idle_lifetime, options_.max_idle_per_host, idle_};
  }

 private:
  HttpClientOptions options_;
  std::uint64_t number_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::once_flag trust_once_;
  std::thread trust_thread_;
  std::atomic<bool> is_trust_ready_{false};
  std::optional<boost::asio::ssl::context> trust_;  // fixed once ready, as is the next
  std::string trust_problem_;
  std::atomic<std::uint64_t> opened_{0};
  std::atomic<std::uint64_t> reused_{0};
  std::shared_ptr<std::atomic<std::uint64_t>> idle_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace signalbox

// What all exchanges of one HTTP client share: the I/O loop, kept connections, trust, proxies.
//
// Everything but the counters belongs to the I/O thread.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "net/asio_http_client.h"
#include "net/client_connection.h"

namespace signalbox {

class ClientCore : public std::enable_shared_from_this<ClientCore> {
 public:
  explicit ClientCore(HttpClientOptions options);
  ~ClientCore();

  boost::asio::io_context& io() { return io_; }
  const HttpClientOptions& options() const { return options_; }
  void run() { io_.run(); }
  void stop() { io_.stop(); }

  // A kept connection that is still good; empty when there is none.
  std::unique_ptr<ClientConnection> take(const std::string& key);
  void keep(const std::string& key, std::unique_ptr<ClientConnection> connection);

  // Reads the system's certificates, which takes 100 ms and more, on a thread of its own; once.
  void load_trust();
  bool is_trust_ready() const { return is_trust_ready_; }
  Result<boost::asio::ssl::context*> trust();

  HttpClientStats stats() const;
  void count_opened() { ++opened_; }

 private:
  struct Kept {
    std::unique_ptr<ClientConnection> connection;
    TimePoint until;
  };

  void drop_old();
  void watch_old();

  HttpClientOptions options_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer sweep_;
  bool is_sweeping_ = false;
  std::map<std::string, std::deque<Kept>> kept_;  // newest last
  std::once_flag trust_once_;
  std::thread trust_thread_;
  std::atomic<bool> is_trust_ready_{false};
  std::optional<boost::asio::ssl::context> trust_;  // fixed once ready, as is the next
  std::string trust_problem_;
  std::atomic<std::uint64_t> opened_{0};
  std::atomic<std::uint64_t> reused_{0};
  std::atomic<std::uint64_t> idle_{0};
};

}  // namespace signalbox

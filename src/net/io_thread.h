// One I/O thread: its event loop, its connections, and the sweep that ends those which wait too long.
//
// A deadline is a field that the sweep looks at now and then: a timer of its own for every request
// would cost more than the request.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <string>
#include <unordered_set>

#include "net/http_server.h"
#include "net/work_share.h"

namespace signalbox {

// What all threads of one server share.
struct ServerShared {
  HttpHandler handler;
  ServerLimits limits;
  WorkShare work;
  std::atomic<bool> is_stopping{false};
  std::atomic<std::uint64_t> accepted{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> open{0};
  std::atomic<std::uint64_t> timed_out{0};
};

class ConnectionBase {
 public:
  virtual ~ConnectionBase() = default;
  virtual void cancel() = 0;  // ends what it waits for
  virtual void close() = 0;   // ends it

  TimePoint deadline = TimePoint::max();
  bool is_idle = false;  // between two requests: a stop may end it at once
  bool is_late = false;  // the sweep found its deadline passed
};

class IoThread {
 public:
  explicit IoThread(ServerShared& shared);

  void run();
  // From any thread.
  void begin_stop();
  void cut_all();

  ServerShared& shared;
  boost::asio::io_context context;
  const std::size_t lane;                           // in shared.work
  std::unordered_set<ConnectionBase*> connections;  // of this thread alone
  std::string date;                                 // at most a second old

 private:
  void sweep();

  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer timer_;
  Duration tick_;
};

}  // namespace signalbox

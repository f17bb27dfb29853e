// An answer on its way from whoever produces it to the connection that sends it.
//
// Producers append under the mutex and wake the connection on its own thread; the connection takes all
// that is queued at once. Once the connection is gone nothing touches its event loop any more.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

#include "net/http_server.h"

namespace signalbox {

struct ServerAnswer::State : std::enable_shared_from_this<ServerAnswer::State> {
  State(boost::asio::io_context::executor_type on, boost::asio::steady_timer& timer)
      : executor(on), signal(&timer) {}

  // Set before anyone else knows the state.
  boost::asio::io_context::executor_type executor;
  std::string date;
  bool keep_alive = true;
  bool is_http_1_0 = false;
  bool is_head = false;  // HEAD: no body is sent

  std::mutex mutex;
  std::condition_variable room;
  // Guarded by mutex.
  std::string queued;
  std::size_t unsent = 0;  // queued, or taken by the connection and not yet by the client
  bool has_begun = false;
  bool has_ended = false;
  bool is_aborted = false;
  bool is_gone = false;
  bool is_woken = false;
  std::size_t back_below = 0;
  std::function<void()> back;
  std::function<void()> gone_back;

  // Of the connection's thread alone.
  boost::asio::steady_timer* signal;

  void wake();               // with the mutex held
  std::string take();        // all that is queued
  void sent(std::size_t n);  // the client took n bytes
  void detach();             // the connection has ended, well or not
};

}  // namespace signalbox

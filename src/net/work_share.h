// Long computations of a server's I/O threads: a thread that has several waiting lets an idle one help.
//
// Every thread has a lane: work offered on it is done in turn, one piece between two looks at the
// sockets. A second piece wakes a lane without work, which takes the oldest one it finds. Thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace signalbox {

class WorkShare {
 public:
  using Work = std::function<void()>;

  // Before any lane is used. `context` is run by one thread.
  std::size_t add_lane(boost::asio::io_context& context);
  // From the lane's own thread. `work` runs later, on any lane's thread, then brings its own end home.
  // It must keep its lane's context at work until then.
  void offer(std::size_t lane, Work work);

 private:
  struct Lane {
    boost::asio::io_context* context;
    std::deque<Work> waiting;
    bool is_busy = false;  // take() runs or is about to
  };

  void wake(std::size_t lane);  // with the mutex held
  void take(std::size_t lane);
  Work next_for(std::size_t lane);  // with the mutex held; empty: nothing waits

  std::mutex mutex_;
  std::vector<Lane> lanes_;  // guarded by mutex_
};

}  // namespace signalbox

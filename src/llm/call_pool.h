// Threads for calls that run side by side: started when needed, never more than a bound.
//
// Thread-safe. A task must end by itself: the destructor waits for those that have begun.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace signalbox {

class CallPool {
 public:
  explicit CallPool(std::size_t max_threads) : max_threads_(max_threads) {}
  ~CallPool();
  CallPool(const CallPool&) = delete;
  CallPool& operator=(const CallPool&) = delete;

  // False: every thread is busy and as many tasks wait already.
  bool submit(std::function<void()> task);

 private:
  void work();

  const std::size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;  // guarded by mutex_, as all below
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool is_closing_ = false;
};

}  // namespace signalbox

// Threads for work that may wait, behind a bounded queue.
//
// submit() never waits: a full queue is false at once, and the caller answers Overloaded. The
// destructor runs what is queued to its end. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace signalbox {

class WorkerPool {
 public:
  WorkerPool(std::size_t threads, std::size_t queue_limit);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool submit(std::function<void()> work);
  std::size_t queued() const;

 private:
  void work_on();

  std::size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;  // guarded by mutex_
  bool is_ending_ = false;                   // guarded by mutex_
  std::vector<std::thread> threads_;
};

}  // namespace signalbox

#include "base/worker_pool.h"

namespace signalbox {

WorkerPool::WorkerPool(std::size_t threads, std::size_t queue_limit) : limit_(queue_limit) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work_on(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::submit(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_ || queue_.size() >= limit_) return false;
    queue_.push_back(std::move(work));
  }
  wake_.notify_one();
  return true;
}

std::size_t WorkerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void WorkerPool::work_on() {
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return is_ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work();
  }
}

}  // namespace signalbox

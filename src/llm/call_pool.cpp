#include "llm/call_pool.h"

#include <utility>

namespace signalbox {

CallPool::~CallPool() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    waiting_.clear();
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool CallPool::submit(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= max_threads_) return false;
    waiting_.push_back(std::move(task));
    if (waiting_.size() > idle_ && threads_.size() < max_threads_)
      threads_.emplace_back([this] { work(); });
  }
  wake_.notify_one();
  return true;
}

void CallPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return is_closing_ || !waiting_.empty(); });
    --idle_;
    if (is_closing_) return;
    std::function<void()> task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it holds is let go without the lock
    lock.lock();
  }
}

}  // namespace signalbox

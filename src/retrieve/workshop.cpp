#include "retrieve/workshop.h"

#include <algorithm>

namespace signalbox {
namespace {

constexpr std::size_t kAhead = 64;  // files read before the writer takes them

}  // namespace

Workshop::Workshop(std::size_t files, int threads, Prepare prepare)
    : files_(files), prepare_(std::move(prepare)) {
  if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this](std::stop_token t) { work(t); });
}

Workshop::~Workshop() {
  for (std::jthread& thread : threads_) thread.request_stop();
  changed_.notify_all();
}

PreparedFile Workshop::take(std::size_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_.contains(number); });
  PreparedFile file = std::move(done_.at(number));
  done_.erase(number);
  taken_ = number + 1;
  changed_.notify_all();
  return file;
}

void Workshop::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (next_ < files_) {
    changed_.wait(lock,
                  [&] { return stop.stop_requested() || next_ >= files_ || next_ < taken_ + kAhead; });
    if (stop.stop_requested() || next_ >= files_) return;
    const std::size_t number = next_++;
    lock.unlock();
    PreparedFile file = prepare_(number);
    lock.lock();
    done_.emplace(number, std::move(file));
    changed_.notify_all();
  }
}

}  // namespace signalbox

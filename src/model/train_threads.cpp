#include "model/train_threads.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace signalbox {

void run_in_threads(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t extra =
      std::min(count, static_cast<std::size_t>(std::max(threads, 1))) - (count > 0 ? 1 : 0);
  std::vector<std::jthread> others;
  for (std::size_t i = 0; i < extra; ++i) others.emplace_back(loop);
  loop();
}

}  // namespace signalbox

// Files are prepared by several threads and handed over in their order.
//
// At most kAhead files wait to be taken, so memory is bounded by the files in work.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "retrieve/prepare_file.h"

namespace signalbox {

class Workshop {
 public:
  using Prepare = std::function<PreparedFile(std::size_t)>;
  // `threads` 0: one a core.
  Workshop(std::size_t files, int threads, Prepare prepare);
  ~Workshop();

  // To be called with 0, 1, 2, …: waits for that file.
  PreparedFile take(std::size_t number);

 private:
  void work(const std::stop_token& stop);

  const std::size_t files_;
  const Prepare prepare_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;  // guarded by mutex_, as all below
  std::size_t taken_ = 0;
  std::map<std::size_t, PreparedFile> done_;
  std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace signalbox

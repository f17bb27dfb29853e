// Shares numbered pieces of work among a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace signalbox {

// Calls work(0) … work(count - 1), each once, from up to `threads` threads; returns when all are done.
// `work` must not throw.
void run_in_threads(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace signalbox

// Retrieval beside the classifier: started before it, waited for only where its answer can matter.
//
// A few threads of its own and a bounded queue; when all are busy and the queue is full, the result is
// unknown at once. A search that comes too late is unknown, and its thread goes on to the next.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "probe/retriever.h"
#include "signalbox/decision.h"
#include "signalbox/profile.h"

namespace signalbox {

struct RetrievalFinding {
  Presence presence = Presence::Unknown;
  std::size_t hits = 0;    // passages of at least the profile's score
  double least_score = 0;  // of the hits
  bool is_late = false;
  std::string failure;  // why it is unknown
};

// One search on its way; wait() may be called once.
class RetrievalRun {
 public:
  RetrievalFinding wait();

 private:
  friend class RetrievalProbe;
  struct Shared;
  std::shared_ptr<Shared> shared_;
  std::chrono::steady_clock::time_point until_{};
  double min_score_ = 0;
};

// Thread-safe. The destructor waits for the searches under way.
class RetrievalProbe {
 public:
  explicit RetrievalProbe(std::shared_ptr<Retriever> retriever, std::size_t threads = 4);
  ~RetrievalProbe();
  RetrievalProbe(const RetrievalProbe&) = delete;
  RetrievalProbe& operator=(const RetrievalProbe&) = delete;

  RetrievalRun start(std::string query, const Probes& probes, Duration budget);

 private:
  void work();

  std::shared_ptr<Retriever> retriever_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;  // guarded by mutex_
  bool is_ending_ = false;                     // guarded by mutex_
  std::vector<std::jthread> threads_;
};

}  // namespace signalbox

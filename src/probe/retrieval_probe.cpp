#include "probe/retrieval_probe.h"

#include <algorithm>

namespace signalbox {
namespace {

constexpr std::size_t kMaxWaiting = 64;

}  // namespace

struct RetrievalRun::Shared {
  std::mutex mutex;
  std::condition_variable done;
  std::optional<Result<std::vector<Passage>>> result;  // guarded by mutex
};

RetrievalFinding RetrievalRun::wait() {
  RetrievalFinding out;
  if (!shared_) {
    out.failure = "too many searches at once";
    return out;
  }
  std::unique_lock lock(shared_->mutex);
  if (!shared_->done.wait_until(lock, until_, [&] { return shared_->result.has_value(); })) {
    out.is_late = true;
    out.failure = "out of time";
    return out;
  }
  if (!*shared_->result) {
    out.is_late = shared_->result->error().code == ErrorCode::Timeout;
    out.failure = shared_->result->error().message;
    return out;
  }
  for (const Passage& passage : **shared_->result) {
    if (passage.score < min_score_) continue;
    out.least_score = out.hits == 0 ? passage.score : std::min(out.least_score, passage.score);
    ++out.hits;
  }
  out.presence = out.hits > 0 ? Presence::Present : Presence::Absent;
  return out;
}

RetrievalProbe::RetrievalProbe(std::shared_ptr<Retriever> retriever, std::size_t threads)
    : retriever_(std::move(retriever)) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

RetrievalProbe::~RetrievalProbe() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    waiting_.clear();
  }
  wake_.notify_all();
}

void RetrievalProbe::work() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return is_ending_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task();
  }
}

RetrievalRun RetrievalProbe::start(std::string query, const Probes& probes, Duration budget) {
  RetrievalRun run;
  const Duration allowed =
      std::min<Duration>(budget, std::chrono::milliseconds(probes.retrieval_deadline_ms));
  run.until_ = std::chrono::steady_clock::now() + allowed;
  run.min_score_ = probes.retrieval_min_score;
  const auto top = static_cast<std::size_t>(probes.retrieval_top);
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= kMaxWaiting) return run;
  run.shared_ = std::make_shared<RetrievalRun::Shared>();
  waiting_.push_back([retriever = retriever_, shared = run.shared_, query = std::move(query), top,
                      until = run.until_] {
    const Duration left = until - std::chrono::steady_clock::now();
    if (left <= Duration::zero()) return;  // nobody waits any more
    auto found = retriever->retrieve(query, top, left);
    const std::lock_guard done(shared->mutex);
    shared->result = std::move(found);
    shared->done.notify_one();
  });
  wake_.notify_one();
  return run;
}

}  // namespace signalbox

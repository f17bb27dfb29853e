// Answers every query with the same passages, after a wait; or fails.
#pragma once

#include <atomic>
#include <thread>
#include <utility>

#include "probe/retriever.h"

namespace signalbox {

class FakeRetriever : public Retriever {
 public:
  explicit FakeRetriever(std::vector<Passage> passages, Duration wait = {})
      : passages_(std::move(passages)), wait_(wait) {}

  Result<std::vector<Passage>> retrieve(std::string_view, std::size_t top, Duration budget) override {
    ++calls;
    const bool is_late = budget > Duration::zero() && wait_ > budget;
    std::this_thread::sleep_for(is_late ? budget : wait_);
    if (is_late) return fail(ErrorCode::Timeout, "the index did not answer in time");
    if (is_down) return fail(ErrorCode::Upstream, "the index is down");
    return std::vector<Passage>(
        passages_.begin(),
        passages_.begin() + static_cast<std::ptrdiff_t>(std::min(top, passages_.size())));
  }

  Result<Retrieved> follow(const Plan& plan, const std::string& query, std::size_t top,
                           Duration budget) override {
    auto found = Retriever::follow(plan, query, top, budget);
    if (found) found->answer = extract;
    return found;
  }

  std::string extract;  // what the passages say by themselves
  std::atomic<int> calls{0};
  std::atomic<bool> is_down{false};

 private:
  std::vector<Passage> passages_;
  Duration wait_;
};

}  // namespace signalbox

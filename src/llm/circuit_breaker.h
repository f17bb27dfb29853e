// Spares a backend that keeps failing, and the callers who would wait for it.
//
// Closed: calls pass. After `failures` within `window` it opens: calls are refused at once. After
// `rest` one call at a time may try (half-open): its success closes, its failure opens again for twice
// as long, up to `longest_rest`. Thread-safe; costs a lock.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>

#include "base/clock.h"

namespace signalbox {

enum class BreakerState { Closed, Open, HalfOpen };

const char* breaker_state_name(BreakerState state);  // "closed", "open", "half_open"

struct BreakerOptions {
  int failures = 5;
  Duration window = std::chrono::seconds(30);
  Duration rest = std::chrono::seconds(2);
  Duration longest_rest = std::chrono::seconds(60);
};

class CircuitBreaker {
 public:
  CircuitBreaker(BreakerOptions options, std::shared_ptr<const Clock> clock);

  // Whether a call may be made now. Every true is followed by one of the three below.
  bool try_enter();
  void succeeded();
  void failed();
  void abandoned();  // nothing was learnt: the caller went away, or the request itself was wrong

  BreakerState state() const;

 private:
  void open(TimePoint now);

  const BreakerOptions options_;
  const std::shared_ptr<const Clock> clock_;
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  BreakerState state_ = BreakerState::Closed;
  std::deque<TimePoint> failures_;
  TimePoint rests_until_{};
  Duration rest_;
  bool is_probing_ = false;
};

}  // namespace signalbox

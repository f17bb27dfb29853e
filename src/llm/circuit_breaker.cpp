#include "llm/circuit_breaker.h"

#include <algorithm>

namespace signalbox {

const char* breaker_state_name(BreakerState state) {
  switch (state) {
    case BreakerState::Closed:
      return "closed";
    case BreakerState::Open:
      return "open";
    case BreakerState::HalfOpen:
      return "half_open";
  }
  return "unknown";
}

CircuitBreaker::CircuitBreaker(BreakerOptions options, std::shared_ptr<const Clock> clock)
    : options_(options), clock_(std::move(clock)), rest_(options.rest) {}

bool CircuitBreaker::try_enter() {
  const std::lock_guard lock(mutex_);
  if (state_ == BreakerState::Open && clock_->now() >= rests_until_) state_ = BreakerState::HalfOpen;
  if (state_ == BreakerState::Closed) return true;
  if (state_ == BreakerState::Open || is_probing_) return false;
  is_probing_ = true;
  return true;
}

void CircuitBreaker::succeeded() {
  const std::lock_guard lock(mutex_);
  // A call that began before the breaker opened does not close it: only the probe does.
  if (state_ == BreakerState::Open) return;
  state_ = BreakerState::Closed;
  is_probing_ = false;
  failures_.clear();
  rest_ = options_.rest;
}

void CircuitBreaker::failed() {
  const std::lock_guard lock(mutex_);
  const TimePoint now = clock_->now();
  if (state_ == BreakerState::Open) return;
  if (state_ == BreakerState::HalfOpen) {
    is_probing_ = false;
    rest_ = std::min(rest_ * 2, options_.longest_rest);
    open(now);
    return;
  }
  while (!failures_.empty() && failures_.front() + options_.window < now) failures_.pop_front();
  failures_.push_back(now);
  if (static_cast<int>(failures_.size()) >= options_.failures) open(now);
}

void CircuitBreaker::abandoned() {
  const std::lock_guard lock(mutex_);
  is_probing_ = false;
}

void CircuitBreaker::open(TimePoint now) {
  state_ = BreakerState::Open;
  rests_until_ = now + rest_;
  failures_.clear();
}

BreakerState CircuitBreaker::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

}  // namespace signalbox

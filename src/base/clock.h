// Time, behind an interface: the clock is part of the outside world and is fed back on replay.
#pragma once

#include <chrono>

namespace signalbox {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
};

class SteadyClock : public Clock {
 public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
};

// Stands still until told; each look may advance it by a fixed tick.
class FakeClock : public Clock {
 public:
  explicit FakeClock(Duration tick = Duration::zero()) : tick_(tick) {}
  TimePoint now() const override {
    const TimePoint current = now_;
    now_ += tick_;
    return current;
  }
  void advance(Duration by) { now_ += by; }

 private:
  Duration tick_;
  mutable TimePoint now_;
};

}  // namespace signalbox

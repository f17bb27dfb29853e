// Time, behind an interface: the clock is part of the outside world and is fed back on replay.
#pragma once

#include <atomic>
#include <chrono>

namespace signalbox {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;  // for durations: never goes back
  virtual WallTime wall() const = 0;  // for dates and lifetimes
};

class SteadyClock : public Clock {
 public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  WallTime wall() const override {
    return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
};

// Stands still until told; each look may advance it by a fixed tick.
class FakeClock : public Clock {
 public:
  explicit FakeClock(Duration tick = Duration::zero()) : tick_(tick) {}
  TimePoint now() const override { return TimePoint(Duration(now_.fetch_add(tick_.count()))); }
  WallTime wall() const override { return wall_; }
  void advance(Duration by) {
    now_ += by.count();
    wall_ += std::chrono::duration_cast<std::chrono::milliseconds>(by);
  }
  void set_wall(WallTime wall) { wall_ = wall; }

 private:
  Duration tick_;
  mutable std::atomic<Duration::rep> now_{0};  // several threads may look
  WallTime wall_{};
};

}  // namespace signalbox

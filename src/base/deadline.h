// One deadline, set at the edge, checked before every step that costs time or money.
#pragma once

#include "base/clock.h"

namespace signalbox {

class Deadline {
 public:
  // A budget of zero or less never passes.
  Deadline(const Clock& clock, Duration budget)
      : clock_(&clock), at_(budget > Duration::zero() ? clock.now() + budget : TimePoint::max()) {}

  bool passed() const { return at_ != TimePoint::max() && clock_->now() >= at_; }
  Duration left() const { return at_ == TimePoint::max() ? Duration::max() : at_ - clock_->now(); }

 private:
  const Clock* clock_;
  TimePoint at_;
};

}  // namespace signalbox

// One step of the pipeline: writes its timed line of trace when it goes out of scope.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "signalbox/decision.h"

namespace signalbox {

class Step {
 public:
  Step(std::string_view name, const Clock& clock, std::vector<TraceLine>& trace)
      : name_(name), clock_(clock), trace_(trace), start_(clock.now()) {}
  ~Step() {
    const auto us =
        std::chrono::duration_cast<std::chrono::microseconds>(clock_.now() - start_).count();
    trace_.push_back({std::string(name_), outcome_.empty() ? "passed" : std::move(outcome_), us});
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  void note(std::string outcome) {
    if (outcome_.empty()) {
      outcome_ = std::move(outcome);
      return;
    }
    outcome_ += "; ";
    outcome_ += outcome;
  }

 private:
  std::string_view name_;
  const Clock& clock_;
  std::vector<TraceLine>& trace_;
  TimePoint start_;
  std::string outcome_;
};

}  // namespace signalbox

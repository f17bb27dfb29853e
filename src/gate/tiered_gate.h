// The gatekeeper as the pipeline sees it: a trained model, and for its grey zone perhaps a second one
// with a larger encoder.
#pragma once

#include <memory>
#include <string_view>

#include "model/gate_model.h"

namespace signalbox {

struct GateAnswer {
  GatePrediction prediction;
  bool by_second = false;
};

// Immutable, thread-safe. The second model costs its encoder only when the first is not sure.
class TieredGate {
 public:
  explicit TieredGate(std::shared_ptr<const GateModel> first,
                      std::shared_ptr<const GateModel> second = nullptr, double grey_below = 0.85)
      : first_(std::move(first)), second_(std::move(second)), grey_below_(grey_below) {}

  GateAnswer predict(std::string_view text) const;

  // Identifies what it learned and from which encoders.
  std::string fingerprint() const;

 private:
  std::shared_ptr<const GateModel> first_;
  std::shared_ptr<const GateModel> second_;
  double grey_below_;
};

}  // namespace signalbox

// The gatekeeper as the pipeline sees it: a trained model, for its grey zone perhaps a second one with
// a larger encoder, and perhaps a challenger on trial beside it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/gate_model.h"

namespace signalbox {

struct GateAnswer {
  GatePrediction prediction;
  bool by_second = false;
};

// A trial of two models: which of them decides for a session, and what the other would have said.
struct GateTrial {
  bool is_challenger = false;  // the challenger decides
  GateAnswer answer;           // the deciding one's
  std::string other;           // the other one's best route
};

// Immutable, thread-safe. The second model costs its encoder only when the first is not sure.
class TieredGate {
 public:
  explicit TieredGate(std::shared_ptr<const GateModel> first,
                      std::shared_ptr<const GateModel> second = nullptr, double grey_below = 0.85)
      : first_(std::move(first)), second_(std::move(second)), grey_below_(grey_below) {}

  GateAnswer predict(std::string_view text) const;

  bool has_challenger() const { return challenger_ != nullptr; }
  // The same session always gets the same arm; no session gets the champion. Costs both models.
  GateTrial try_both(std::string_view text, const std::string& session_id) const;
  bool is_challengers(const std::string& session_id) const;

  // `share` of the sessions are the challenger's; 0: it runs in the shadow alone.
  void set_challenger(std::shared_ptr<const GateModel> challenger, double share) {
    challenger_ = std::move(challenger);
    share_ = share;
  }

  // Identifies what it learned and from which encoders.
  std::string fingerprint() const;

 private:
  std::shared_ptr<const GateModel> first_;
  std::shared_ptr<const GateModel> second_;
  double grey_below_;
  std::shared_ptr<const GateModel> challenger_;
  double share_ = 0;
};

}  // namespace signalbox

#include "gate/tiered_gate.h"

#include <algorithm>

namespace signalbox {

GateAnswer TieredGate::predict(std::string_view text) const {
  GateAnswer answer{first_->predict(text), false};
  if (!second_) return answer;
  const GatePrediction& first = answer.prediction;
  const float best = first.scores.empty() ? 0 : first.scores.front().probability;
  if (std::max(best, first.out_of_scope) > grey_below_) return answer;
  return {second_->predict(text), true};
}

std::string TieredGate::fingerprint() const {
  std::string out;
  for (const GateModel* model : {first_.get(), second_.get()}) {
    if (!model) continue;
    const GateMetadata& learned = model->metadata();
    out += learned.data_hash + ' ' + learned.encoder + ' ' + std::to_string(learned.seed) + '\n';
  }
  return out;
}

}  // namespace signalbox

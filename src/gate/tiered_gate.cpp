#include "gate/tiered_gate.h"

#include <algorithm>

#include "base/hash.h"

namespace signalbox {

GateAnswer TieredGate::predict(std::string_view text) const {
  GateAnswer answer{first_->predict(text), false};
  if (!second_) return answer;
  const GatePrediction& first = answer.prediction;
  const float best = first.scores.empty() ? 0 : first.scores.front().probability;
  if (std::max(best, first.out_of_scope) > grey_below_) return answer;
  return {second_->predict(text), true};
}

bool TieredGate::is_challengers(const std::string& session_id) const {
  if (!challenger_ || session_id.empty()) return false;
  // Salted, so that the share is not the same sessions as anything else that hashes them.
  std::uint64_t hash = hash_text(session_id, hash_text("trial"));
  // The text hash leaves ids that differ in their last sign close together: its bits are mixed.
  for (const std::uint64_t factor : {0xFF51AFD7ED558CCDULL, 0xC4CEB9FE1A85EC53ULL}) {
    hash ^= hash >> 33U;
    hash *= factor;
  }
  hash ^= hash >> 33U;
  return static_cast<double>(hash >> 11U) * 0x1p-53 < share_;
}

GateTrial TieredGate::try_both(std::string_view text, const std::string& session_id) const {
  const auto best = [](const GatePrediction& prediction) {
    return prediction.scores.empty() || prediction.out_of_scope > prediction.scores.front().probability
               ? std::string()
               : prediction.scores.front().route;
  };
  GateAnswer ours = predict(text);
  GateAnswer theirs{challenger_->predict(text), false};
  if (is_challengers(session_id)) return {true, std::move(theirs), best(ours.prediction)};
  return {false, std::move(ours), best(theirs.prediction)};
}

std::string TieredGate::fingerprint() const {
  std::string out;
  for (const GateModel* model : {first_.get(), second_.get(), challenger_.get()}) {
    if (!model) continue;
    const GateMetadata& learned = model->metadata();
    out += learned.data_hash + ' ' + learned.encoder + ' ' + std::to_string(learned.seed) + '\n';
  }
  return out;
}

}  // namespace signalbox

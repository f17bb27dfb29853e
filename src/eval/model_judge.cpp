#include "eval/model_judge.h"

#include <algorithm>

namespace signalbox {

Judgement judge_by_model(const TieredGate& gate, const EvalRow& row) {
  const GatePrediction prediction = gate.predict(row.text).prediction;
  Judgement judgement;
  judgement.out_of_scope = prediction.out_of_scope;
  if (prediction.intents.size() > 1) {
    double sure = 1;
    for (const IntentPart& part : prediction.intents) {
      judgement.labels.push_back(part.route);
      sure *= part.probability;
    }
    judgement.confidence = sure;
    return judgement;
  }
  const float best = prediction.scores.empty() ? 0.0F : prediction.scores.front().probability;
  const bool is_outside = prediction.scores.empty() || prediction.out_of_scope > best;
  judgement.labels.push_back(is_outside ? std::string(kOutOfScopeLabel)
                                        : prediction.scores.front().route);
  judgement.confidence = is_outside ? prediction.out_of_scope : best;
  return judgement;
}

}  // namespace signalbox

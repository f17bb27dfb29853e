// What a newly trained model must show before it is written: an accuracy, and to be at least as good as
// the one in use.
#pragma once

#include <optional>
#include <string>

#include "model/gate_model.h"
#include "signalbox/result.h"

namespace signalbox {

struct TrialFlags {
  std::optional<double> gate;  // least cross-validated accuracy
  std::string champion;        // the model in use
  std::string holdout;         // rows with human labels that neither was trained on
};

struct TrialResult {
  std::string refusal;             // why the new model is not written; empty: it is
  std::optional<double> champion;  // accuracy on the holdout
  std::optional<double> challenger;
};

// InvalidInput: a champion without a holdout. Otherwise the files' errors.
Result<TrialResult> try_model(const GateModel& model, const std::shared_ptr<const Encoder>& encoder,
                              const TrialFlags& flags);

}  // namespace signalbox

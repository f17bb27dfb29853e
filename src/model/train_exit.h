// Teaches a gatekeeper when n-grams alone are enough.
#pragma once

#include <vector>

#include "model/gate_model_parts.h"
#include "model/train_judged.h"

namespace signalbox {

// Fits parts.exit on held-out rows: as many rows as possible leave early, as long as fewer than one row
// in a thousand of all traffic, of which `outside_share` is out of scope, is lost by it that the whole
// head has right, with a standard deviation to spare. Rows out of scope that leave early are all lost.
// Never enabled where there is no encoder to spare, where rows may have several routes, or where too
// few rows could show a loss.
void fit_exit(const std::vector<Judged>& all, const TrainSet& set, double outside_share,
              GateParts& parts);

}  // namespace signalbox

// Teaches a gatekeeper when to split a message: from its own rows, joined two and three at a time, and
// from single rows that hold a separator and must stay whole.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "model/gate_model_parts.h"
#include "model/train_judged.h"

namespace signalbox {

// Adds the messages, and every stretch of them, to the set's examples: judged, never learned from.
// Deterministic for a seed. At most a few hundred messages.
void add_split_probes(TrainSet& set, const std::vector<std::string>& separators, std::uint64_t seed);

// Fits parts.splitter on the held-out scores. Needs parts.scope and parts.exit.sure.
void fit_splitter(const TrainSet& set, const Learned& learned,
                  const std::vector<std::string>& separators, GateParts& parts);

}  // namespace signalbox

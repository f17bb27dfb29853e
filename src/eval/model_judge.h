// Lets a trained gatekeeper answer eval's rows.
#pragma once

#include "eval/judgement.h"
#include "gate/tiered_gate.h"

namespace signalbox {

// The likeliest of all routes and out of scope is the answer; several intents where the model finds
// them.
Judgement judge_by_model(const TieredGate& gate, const EvalRow& row);

}  // namespace signalbox

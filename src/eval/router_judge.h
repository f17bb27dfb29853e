// Lets a whole router answer eval's rows: steps 1 to 11 and 13, with the request's own context.
#pragma once

#include <memory>

#include "eval/judgement.h"
#include "signalbox/router.h"

namespace signalbox {

// A row from JSONL brings the request's fields and `expected`; one from TSV only its text. UNCLEAR and
// MULTI_INTENT as labels are met by the tiers clarify and multi_intent.
Judge router_judge(std::shared_ptr<const Router> router);

}  // namespace signalbox

// Corrections inside one message: "who wrote, no sorry, who directed Alien" → "who directed Alien".
//
// What was taken back goes, the rest stays as written. Needs no history. Pure.
#pragma once

#include <optional>
#include <string>

#include "reference/utterance.h"

namespace signalbox::reference {

// Nothing when the message corrects nothing.
std::optional<std::string> without_repairs(const Utterance& message, const ReferenceWords& words);

}  // namespace signalbox::reference

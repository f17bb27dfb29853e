// Puts a fragment into an earlier question in the place of the phrase of its kind.
//
// "What were the sales in April?" and "and in May?" give "What were the sales in May?". Pure.
#pragma once

#include <optional>
#include <string>

#include "reference/utterance.h"

namespace signalbox::reference {

// The part of the message behind courtesy, openers and corrections.
Span fragment_of(const Utterance& message);

// Time for time, number for number, name for name, and a phrase for one with the same preposition.
// A phrase with a preposition that the question has no place for follows it; else nothing.
std::optional<std::string> substitute(const Utterance& question, const Utterance& message,
                                      Span fragment);

}  // namespace signalbox::reference

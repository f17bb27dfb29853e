// Splits a question that asks several things into questions that ask one each.
//
// Several questions in a row, comparisons ("compare A and B", A和B的区别), enumerations ("what are A, B
// and C") and links through another thing ("who owns the service that Y depends on"). Each part can be
// searched for by itself: what the parts share is repeated in each, and a pronoun is replaced by what
// it stands for. Thread-safe; linear in the text but for the phrases found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/lexicon.h"

namespace signalbox::planning {

// Empty when the question asks one thing, or more than kMostParts: such a list is one request.
inline constexpr std::size_t kMostParts = 12;

std::vector<std::string> decompose(std::string_view query, const Lexicon& lexicon);

}  // namespace signalbox::planning

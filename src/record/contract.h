// Tests a finished decision against its profile's contract.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fastpath/condition.h"

namespace signalbox {

// What the decision itself does not tell.
struct ContractFacts {
  std::size_t classifier_history = 0;  // entries of the intent history the classifier saw
  bool mirrors_history = false;        // without history the class would have been another one
};

// Ids of the rules that the decision breaks, in the order of the profile.
std::vector<std::string> broken_rules(const Facts& facts, std::span<const CompiledCondition> conditions,
                                      const ContractFacts& extra);

}  // namespace signalbox

// Compares a decision with what a case expects.
#pragma once

#include <string>
#include <vector>

#include "signalbox/decision.h"
#include "test/conformance/case_file.h"

namespace signalbox {

// One line for each expectation the decision misses; an unknown key is a miss.
std::vector<std::string> mismatches(const Decision& decision, const std::vector<Expectation>& expected);

// What the decision says for a key, as a case would write it.
std::string actual_value(const Decision& decision, const std::string& key);

}  // namespace signalbox

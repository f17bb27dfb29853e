// Runs another program and takes what it prints.
//
// No shell: arguments are passed as they are. Its standard input is empty, its error output is dropped.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

// InvalidInput: no such program. Timeout: it was ended at the limit. Upstream: it failed, or printed
// more than `max_bytes`.
Result<std::string> run_program(const std::vector<std::string>& arguments,
                                std::chrono::milliseconds limit, std::size_t max_bytes);

}  // namespace signalbox

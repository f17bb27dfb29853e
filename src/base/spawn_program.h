// Starts another program. No shell: arguments are passed as they are; its error output is dropped.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace signalbox {

// Its standard input and output are these descriptors; `input` -1: empty. Nothing: it could not be
// started. The caller waits for the process that is returned.
std::optional<pid_t> spawn_program(const std::vector<std::string>& arguments, int input, int output);

}  // namespace signalbox

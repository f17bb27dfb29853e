// Threads that stay on one core.
#pragma once

#include <vector>

namespace signalbox {

// The numbers of the cores this process may use; empty where the system does not tell.
std::vector<int> allowed_cores();

// Keeps the calling thread, and threads it starts, on this core. Where the system refuses nothing
// changes.
void stay_on(int core);

}  // namespace signalbox

#include "net/cores.h"

#include <sched.h>

namespace signalbox {

#ifdef __linux__

std::vector<int> allowed_cores() {
  std::vector<int> cores;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

void stay_on(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

#else

std::vector<int> allowed_cores() {
  return {};
}

void stay_on(int) {}

#endif

}  // namespace signalbox

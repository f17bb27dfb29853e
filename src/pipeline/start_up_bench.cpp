// Start-up: all shipped profiles opened with their gatekeepers, one thread a core. It decides how soon
// a restarted router answers. Budget: 100 ms for the five, cold.

#include <benchmark/benchmark.h>

#include "pipeline/fleet.h"

namespace signalbox {
namespace {

void BM_OpenTheShippedProfiles(benchmark::State& state) {
  for (auto _ : state) {
    auto routers = open_routers(shipped_profiles());
    if (!routers) return state.SkipWithError(routers.error().message.c_str());
    benchmark::DoNotOptimize(routers);
  }
}
// Once: a second opening in the same process finds the encoder and the shared lists already there.
BENCHMARK(BM_OpenTheShippedProfiles)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace signalbox

// How late a decision comes when the model server fails.
//
// 1,000 messages of the profile `agents` (LLM first) for each fault, on 8 threads, with a deadline of
// 100 ms; the breaker is kept from opening, so that each of them meets the fault. Budget: at most 20 ms
// after the deadline, for every one. Milliseconds after the deadline; below zero is before it.

#include <benchmark/benchmark.h>

#include "test/fakes/bad_model_server.h"

namespace signalbox {
namespace {

void BM_FailingModelServer(benchmark::State& state) {
  const Fault fault = kAllFaults[state.range(0)];
  const auto profile = load_profile(SIGNALBOX_SOURCE_DIR "/profiles/agents/agents.yaml");
  if (!profile) {
    state.SkipWithError(profile.error().message.c_str());
    return;
  }
  for (auto _ : state) {
    const FaultRun run = run_against(fault, *profile, "something about the quarter", 1000, 8,
                                     std::chrono::milliseconds(100));
    state.counters["decided"] = run.decided;
    state.counters["explained"] = run.explained;
    state.counters["late_p50_ms"] = run.late_ms[run.late_ms.size() / 2];
    state.counters["late_max_ms"] = run.late_ms.back();
  }
  state.SetLabel(fault_name(fault));
}

BENCHMARK(BM_FailingModelServer)
    ->DenseRange(0, std::size(kAllFaults) - 1)
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace signalbox

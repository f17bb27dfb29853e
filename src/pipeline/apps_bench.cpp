// Shape: messages to the miniapps profile with a trip of 40 places in the session: commands, looks,
// questions, four languages, some of them left to the gatekeeper. Budget: a decision takes at most
// 600 µs at the 99th percentile.

#include <benchmark/benchmark.h>

#include <algorithm>

#include "app/app_host.h"
#include "pipeline/fleet.h"

namespace signalbox {
namespace {

std::string forty_places(const std::string& manifests) {
  const auto host = *AppHost::open(manifests, nullptr, std::make_shared<SteadyClock>());
  Request session;
  Decision decision;
  decision.language = "en";
  decision.target = {"app", "trip_planner"};
  decision.resolved_query = "plan a trip to Kyoto";
  session.app_state = host->run(decision, session, "start", false)->app_state;
  session.active_app = "trip_planner";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "Place " + std::to_string(i);
    decision.resolved_query = "add " + name + " in Gion for the morning";
    session.app_state = host->run(decision, session, name, false)->app_state;
  }
  return session.app_state;
}

void BM_DecisionWithATrip(benchmark::State& state) {
  const auto router =
      *open_router(SIGNALBOX_SOURCE_DIR "/profiles/miniapps/miniapps.yaml", RouterOptions{});
  const std::vector<std::string> queries{"add the fish market for tonight",
                                         "what's left in Gion?",
                                         "do you think the castle is worth it?",
                                         "delete that",
                                         "¿qué nos falta por ver?",
                                         "tira o museu da lista",
                                         "还有哪些地方没去？",
                                         "we could maybe do the harbour at some point"};
  Request request;
  request.active_app = "trip_planner";
  request.app_state = forty_places(router->profile().manifests);
  std::vector<std::int64_t> times;
  std::size_t at = 0;
  for (auto _ : state) {
    request.query = queries[at++ % queries.size()];
    times.push_back(router->route(request)->elapsed_us);
  }
  std::sort(times.begin(), times.end());
  state.counters["p50_us"] = static_cast<double>(times[times.size() / 2]);
  state.counters["p99_us"] = static_cast<double>(times[times.size() * 99 / 100]);
}
BENCHMARK(BM_DecisionWithATrip)->Iterations(20000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace signalbox

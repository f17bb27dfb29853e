// Shape: messages of the agents profile with an allowlist of 4 tables, no gatekeeper, a fake
// classifier. Budgets: probes and supervisor without retrieval add at most 30 µs at the 99th
// percentile; 80 ms of retrieval beside a 100 ms classifier cost at most 115 ms together.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>

#include "pipeline/fleet.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/fake_retriever.h"

namespace signalbox {
namespace {

using std::chrono::milliseconds;

class SlowLlm : public FakeLlm {
 public:
  using FakeLlm::FakeLlm;
  Result<LlmAnswer> complete(const LlmRequest& request, const TextSink& sink = {}) override {
    std::this_thread::sleep_for(milliseconds(100));
    return FakeLlm::complete(request, sink);
  }
};

std::unique_ptr<Router> open(RouterOptions options) {
  options.disabled_steps = {"gatekeeper"};
  return *open_router(SIGNALBOX_SOURCE_DIR "/profiles/agents/agents.yaml", std::move(options));
}

// The times of the steps are in the trace, to the microsecond.
void BM_ProbesAndSupervisor(benchmark::State& state) {
  RouterOptions options;
  options.llm =
      std::make_shared<FakeLlm>(std::vector<std::string>{R"({"route":"analytics","confidence":0.9})"});
  const auto router = open(std::move(options));
  const std::vector<std::string> queries{
      "Qual é a receita média por pedido nos últimos 6 meses, segmentada por estado do cliente?",
      "How many orders were cancelled last month by customers in Texas?",
      "¿Qué dice la política de devoluciones sobre los artículos dañados?",
      "Extraia os itens desta nota fiscal e confira o total"};
  std::vector<std::int64_t> times;
  Request request;
  request.allowlist = {{"orders", {"order_id", "order_status", "total", "created_at"}},
                       {"customers", {"customer_id", "state", "city", "name"}},
                       {"order_items", {"sku", "quantity", "unit_price"}},
                       {"reviews", {"review_id", "review_score"}}};
  std::size_t at = 0;
  for (auto _ : state) {
    request.query = queries[at++ % queries.size()];
    const auto decision = router->route(request);
    std::int64_t us = 0;
    for (const TraceLine& line : decision->trace) {
      if (line.step == "probes" || line.step == "supervisor") us += line.us;
    }
    times.push_back(us);
  }
  std::sort(times.begin(), times.end());
  state.counters["p50_us"] = static_cast<double>(times[times.size() / 2]);
  state.counters["p99_us"] = static_cast<double>(times[times.size() * 99 / 100]);
}
BENCHMARK(BM_ProbesAndSupervisor)->Iterations(20000)->Unit(benchmark::kMicrosecond);

void BM_RetrievalBesideTheClassifier(benchmark::State& state) {
  RouterOptions options;
  options.llm =
      std::make_shared<SlowLlm>(std::vector<std::string>{R"({"route":"triage","confidence":0.9})"});
  Passage found;
  found.score = 0.9;
  options.retriever = std::make_shared<FakeRetriever>(std::vector<Passage>{found}, milliseconds(80));
  const auto router = open(std::move(options));
  Request request;
  request.query = "Preciso resolver uma coisa";
  double most = 0;
  for (auto _ : state) {
    const auto decision = router->route(request);
    most = std::max(most, static_cast<double>(decision->elapsed_us) / 1000);
  }
  state.counters["most_ms"] = most;
}
BENCHMARK(BM_RetrievalBesideTheClassifier)
    ->Iterations(20)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace signalbox

// Planning runs on every routed query, so it must cost little beside the gatekeeper (well under 1 ms).
// Shapes: a simple question, a comparison with a follow-up, Chinese (ICU segmentation), and a pasted
// document of 20,000 words, which is not taken apart but still searched for keywords.
// Budget of CPU time: 100 µs for a question, 20 ms for the document.
#include <benchmark/benchmark.h>

#include "plan/plan.h"
#include "test/fakes/plan_words.h"

namespace signalbox {
namespace {

void run(benchmark::State& state, const std::string& query) {
  const Planner planner = Planner::create(planning::plan_words()).value();
  const std::vector<std::string> tools = {"grep_search", "vector_search"};
  for (auto _ : state) benchmark::DoNotOptimize(planner.plan(query, "conceptual", tools));
}

void BM_PlanSimple(benchmark::State& state) {
  run(state, "how does the indexing pipeline work?");
}
BENCHMARK(BM_PlanSimple);

void BM_PlanComparison(benchmark::State& state) {
  run(state, "compare the indexing pipeline and the query engine, and list what both depend on");
}
BENCHMARK(BM_PlanComparison);

void BM_PlanChinese(benchmark::State& state) {
  run(state, "比较索引管线和查询引擎的架构差异，并列出两者都依赖的服务");
}
BENCHMARK(BM_PlanChinese);

void BM_PlanDocument(benchmark::State& state) {
  std::string document;
  for (int i = 0; i < 20'000; ++i)
    document += "word" + std::to_string(i % 500) + (i % 12 == 0 ? ". " : " ");
  run(state, document);
}
BENCHMARK(BM_PlanDocument);

}  // namespace
}  // namespace signalbox

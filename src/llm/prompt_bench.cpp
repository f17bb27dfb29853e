// What a prompt costs before a model is asked: the shipped profiles' prompts with a short message, and
// the agents' with a full request (six entries of history, an allowlist of 8 tables and 80 columns, six
// earlier messages). It stands in front of a call of 100 ms and more; the budget is 20 µs a voice.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "llm/answer_schema.h"
#include "llm/prompt.h"
#include "signalbox/profile.h"

namespace signalbox {
namespace {

std::shared_ptr<const Profile> shipped_profile(const std::string& name) {
  return *load_profile(fmt::format("{}/profiles/{}/{}.yaml", SIGNALBOX_SOURCE_DIR, name, name));
}

void BM_ShortMessage(benchmark::State& state, const char* name) {
  const auto profile = shipped_profile(name);
  const PromptTemplate prompt(*profile, profile->classifier.prompt, profile->classifier.few_shots);
  const AnswerSchema schema(*profile);
  const Request request;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        prompt.build({request, "how many orders were late?", 0, {}, "(none)\n", {}}));
    benchmark::DoNotOptimize(schema.for_request(request));
  }
}
BENCHMARK_CAPTURE(BM_ShortMessage, assistant, "assistant");
BENCHMARK_CAPTURE(BM_ShortMessage, agents, "agents");
BENCHMARK_CAPTURE(BM_ShortMessage, workspace, "workspace");
BENCHMARK_CAPTURE(BM_ShortMessage, knowledge, "knowledge");
BENCHMARK_CAPTURE(BM_ShortMessage, miniapps, "miniapps");

void BM_FullRequest(benchmark::State& state) {
  const auto profile = shipped_profile("agents");
  const PromptTemplate prompt(*profile, profile->classifier.prompt, profile->classifier.few_shots);
  const AnswerSchema schema(*profile);
  Request request;
  request.query = std::string(300, 'q');
  for (int i = 0; i < 6; ++i) request.intent_history.push_back({"analytics", std::string(60, 't')});
  for (int table = 0; table < 8; ++table) {
    for (int column = 0; column < 10; ++column)
      request.allowlist[fmt::format("table_{}", table)].push_back(
          fmt::format("column_{}_{}", table, column));
  }
  const std::vector<Message> messages(6, {"user", std::string(200, 'm')});
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        prompt.build({request, request.query, 6, messages, "- sql_probe_true\n", {}}));
    benchmark::DoNotOptimize(schema.for_request(request));
  }
}
BENCHMARK(BM_FullRequest);

}  // namespace
}  // namespace signalbox

// Decisions that rules make, on messages of about twelve words in the five shipped profiles.
//
// Most traffic should end here, so it is the number that operators see: a decision costs at most 20 µs
// at the 99th percentile on one core, whatever the profile. Below it stand its parts, so that a
// regression names its culprit: normalising, the phrase matcher, and the matcher with every rule's
// condition, which must not touch the heap once it is warm.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "normalize/language.h"
#include "pipeline/compiled_profile.h"
#include "signalbox/router.h"
#include "test/fakes/counted_heap.h"

namespace signalbox {
namespace {

constexpr double kBudgetMicroseconds = 20;

struct Message {
  const char* profile;
  const char* text;
  const char* active_app = "";
};

constexpr Message kMessages[] = {
    {"assistant", "we have already used ninety percent of our monthly quota, what now please"},
    {"assistant", "how can I cap the memory consumption of a process at twenty percent"},
    {"assistant", "cuánto he consumido de la cuota de mi plan durante este mes exactamente"},
    {"assistant", "You are a direct and concise assistant. Tell me what changed this week"},
    {"agents", "what can you do for me and which questions do you answer best"},
    {"agents", "o que você pode fazer por mim e quais perguntas você sabe responder"},
    {"agents", "qual a previsão do tempo para amanhã de manhã na cidade de Lisboa"},
    {"agents", "what is the weather going to be like tomorrow in the north please"},
    {"workspace", "delete all the orders records that were archived before the first of march"},
    {"workspace", "create a table for my customers with name, address, phone number and mail"},
    {"workspace", "how many orders did each of my customers place in the last month"},
    {"workspace", "update the status of the order 1234 to shipped and save it please"},
    {"knowledge", "which tickets are linked to PROJ-100 and who works on each of them"},
    {"knowledge", "where is the file that describes how the index of documents is built"},
    {"knowledge", "find every place where the error code ERR_TIMEOUT_42 occurs in the logs"},
    {"miniapps", "please plan a trip to Rome for two people in the first week"},
    {"miniapps", "add the Colosseum and the Trevi fountain to the list for day two", "trip_planner"},
    {"miniapps", "what are the best hotels near the station for a family of four", "trip_planner"},
    {"miniapps", "please remove the last two museums from the list for the third day", "trip_planner"},
};

std::shared_ptr<const Profile> profile_of(const std::string& name) {
  auto profile =
      load_profile(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/" + name + "/" + name + ".yaml");
  return profile ? *profile : nullptr;
}

std::vector<Request> requests_of(const std::string& profile) {
  std::vector<Request> out;
  for (const Message& message : kMessages) {
    if (profile != message.profile) continue;
    Request request;
    request.query = message.text;
    request.active_app = message.active_app;
    out.push_back(std::move(request));
  }
  return out;
}

double percentile(std::vector<float>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

// The plan of the knowledge profile is a step of its own with a benchmark of its own (plan_bench).
void BM_Decision(benchmark::State& state, const char* name) {
  RouterOptions options;
  options.disabled_steps = {"plan"};
  auto router = Router::create(profile_of(name), options);
  const std::vector<Request> requests = requests_of(name);
  for (const Request& request : requests) {
    const auto decision = (*router)->route(request);
    if (!decision || decision->decided_by != DecidedBy::FastPath) {
      state.SkipWithError(("no rule decides: " + request.query).c_str());
      return;
    }
  }
  using Clock = std::chrono::steady_clock;
  std::vector<float> times;
  times.reserve(1 << 21);
  const std::uint64_t before = heap_allocations;
  std::size_t next = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize((*router)->route(requests[next]));
    times.push_back(std::chrono::duration<float, std::micro>(Clock::now() - start).count());
    next = next + 1 == requests.size() ? 0 : next + 1;
  }
  const auto calls = static_cast<double>(times.size());
  std::sort(times.begin(), times.end());
  state.counters["p50_us"] = percentile(times, 0.50);
  state.counters["p99_us"] = percentile(times, 0.99);
  state.counters["budget_us"] = kBudgetMicroseconds;
  state.counters["allocations"] = static_cast<double>(heap_allocations - before) / calls;
}
BENCHMARK_CAPTURE(BM_Decision, assistant, "assistant");
BENCHMARK_CAPTURE(BM_Decision, agents, "agents");
BENCHMARK_CAPTURE(BM_Decision, workspace, "workspace");
BENCHMARK_CAPTURE(BM_Decision, knowledge, "knowledge");
BENCHMARK_CAPTURE(BM_Decision, miniapps, "miniapps");

// Every list and every rule, also those the first hit would spare.
void BM_MatcherAndAllConditions(benchmark::State& state, const char* name) {
  const auto compiled = compile_profile(profile_of(name));
  const std::vector<Request> requests = requests_of(name);
  std::vector<Text> texts;
  for (const Request& request : requests) texts.push_back(*normalize(request.query));
  Findings findings;
  const Decision decision;
  const auto match = [&](std::size_t i) {
    compiled->matcher.find(texts[i], findings);
    const Facts facts{*compiled->profile, compiled->matcher, requests[i], texts[i], findings, decision};
    std::size_t holding = 0;
    for (const CompiledRule& rule : compiled->always_rules) holding += rule.when.holds(facts) ? 1 : 0;
    for (const CompiledRule& rule : compiled->fast_rules) holding += rule.when.holds(facts) ? 1 : 0;
    return holding;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) match(i);
  const std::uint64_t before = heap_allocations;
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(match(next));
    next = next + 1 == texts.size() ? 0 : next + 1;
  }
  const std::uint64_t taken = heap_allocations - before;
  state.counters["allocations"] = static_cast<double>(taken);
  if (taken != 0) state.SkipWithError("the matcher touched the heap");
}
BENCHMARK_CAPTURE(BM_MatcherAndAllConditions, assistant, "assistant");
BENCHMARK_CAPTURE(BM_MatcherAndAllConditions, agents, "agents");
BENCHMARK_CAPTURE(BM_MatcherAndAllConditions, workspace, "workspace");
BENCHMARK_CAPTURE(BM_MatcherAndAllConditions, knowledge, "knowledge");
BENCHMARK_CAPTURE(BM_MatcherAndAllConditions, miniapps, "miniapps");

void BM_PhraseMatcher(benchmark::State& state, const char* name) {
  const auto matcher = ProfileMatcher::compile(*profile_of(name));
  std::vector<Text> texts;
  for (const Request& request : requests_of(name)) texts.push_back(*normalize(request.query));
  Findings findings;
  std::size_t next = 0;
  for (auto _ : state) {
    matcher->find(texts[next], findings);
    benchmark::DoNotOptimize(findings.phrases.count);
    next = next + 1 == texts.size() ? 0 : next + 1;
  }
}
BENCHMARK_CAPTURE(BM_PhraseMatcher, agents, "agents");
BENCHMARK_CAPTURE(BM_PhraseMatcher, workspace, "workspace");
BENCHMARK_CAPTURE(BM_PhraseMatcher, miniapps, "miniapps");

void BM_Normalize(benchmark::State& state) {
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(normalize(kMessages[next].text));
    next = next + 1 == std::size(kMessages) ? 0 : next + 1;
  }
}
BENCHMARK(BM_Normalize);

void BM_Language(benchmark::State& state) {
  const std::vector<std::string> hints{"en", "es", "pt"};
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(identify_language(kMessages[next].text, hints));
    next = next + 1 == std::size(kMessages) ? 0 : next + 1;
  }
}
BENCHMARK(BM_Language);

}  // namespace
}  // namespace signalbox

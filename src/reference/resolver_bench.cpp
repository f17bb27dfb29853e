// Budget: at most 100 µs at the 99th percentile when nothing refers, whatever the history; what a
// reference costs is reported beside it. The history is the longest that is looked at: 20 messages.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "model/encoder_choice.h"
#include "reference/resolver.h"

namespace signalbox {
namespace {

Request talk(const std::string& message) {
  Request request;
  request.query = message;
  for (int i = 0; i < 10; ++i) {
    request.history.push_back(
        {"user", "How do I configure the logging of service number " + std::to_string(i)});
    request.history.push_back(
        {"assistant",
         "Set the level in config.yaml and restart it. The default level is info, and every "
         "handler has one of its own. Would you like an example?"});
  }
  return request;
}

// A new turn: its message, and the two before it, have not been seen; the others have.
void turn(Request& request, const std::string& message, int number) {
  request.query = fmt::format(fmt::runtime(message), number);
  for (std::size_t i = request.history.size() - 2; i < request.history.size(); ++i) {
    std::string& content = request.history[i].content;
    content.resize(content.find_last_of(' '));
    content += fmt::format(" {}", number);
  }
}

void resolve(benchmark::State& state, const std::string& message) {
  auto profile = load_profile(SIGNALBOX_SOURCE_DIR "/profiles/assistant/assistant.yaml");
  auto encoder = open_encoder("");
  const auto resolver = ReferenceResolver::create(**profile, encoder ? *encoder : nullptr);
  Request request = talk(message);
  std::vector<double> times;
  for (auto _ : state) {
    turn(request, message, static_cast<int>(times.size()));
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(resolver->resolve(request));
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  state.counters["p50_us"] = times[times.size() / 2];
  state.counters["p99_us"] = times[times.size() * 99 / 100];
}

BENCHMARK_CAPTURE(resolve, nothing_refers, "write a Python function that reverses a string");
BENCHMARK_CAPTURE(resolve, nothing_refers_question, "What is the capital of France?");
BENCHMARK_CAPTURE(resolve, nothing_refers_chinese, "帮我设一个明天早上七点的闹钟");
BENCHMARK_CAPTURE(resolve, pronoun, "Can you delete it?");
BENCHMARK_CAPTURE(resolve, ellipsis, "and for service number 3?");
BENCHMARK_CAPTURE(resolve, search_over_history,
                  "going back to the logging of service {}, what is the default?");

}  // namespace
}  // namespace signalbox

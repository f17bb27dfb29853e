// The in-process backend with the real model, one thread.
//
// FirstToken: a prompt of about 300 tokens as the classifier's, whose end differs from call to call.
// The second call must reach its first token at least 3 times sooner than the first: `times_sooner` of
// one run. Grammar: answers under a JSON Schema at temperature 1, every one of another question;
// `parsed` must equal `answers` (1,000).

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <boost/json.hpp>
#include <map>

#include "test/fakes/real_model.h"

namespace signalbox {
namespace {

namespace json = boost::json;

std::shared_ptr<LlmClient> opened(const std::string& settings) {
  const auto options =
      parse_gguf_address("gguf:" + real_model_path() + "?ctx=1024&threads=1" + settings);
  const auto client = open_gguf(*options);
  return client ? *client : nullptr;
}

std::string rules(int variant) {
  std::string text = fmt::format("You route messages, variant {}.", variant);
  for (int i = 0; i < 22; ++i) text += fmt::format(" Rule {}: invoices and refunds go to billing.", i);
  return text;
}

LlmRequest request_of(std::string system, std::string user, int max_tokens) {
  LlmRequest request;
  request.messages = {{"system", std::move(system), {}, {}, ""}, {"user", std::move(user), {}, {}, ""}};
  request.max_tokens = max_tokens;
  return request;
}

void FirstToken(benchmark::State& state) {
  if (const std::string why = why_no_real_model(); !why.empty())
    return state.SkipWithError(why.c_str());
  const auto client = opened("&prefixes=1");
  double cold = 0;
  double warm = 0;
  int tokens = 0;
  int cached = 0;
  int variant = 0;
  for (auto _ : state) {
    const std::string system = rules(++variant);
    const auto first = client->complete(request_of(system, "my invoice of May is wrong", 1));
    const auto second = client->complete(request_of(system, "where can I find the manual?", 1));
    if (!first || !second) return state.SkipWithError("no answer");
    cold += std::chrono::duration<double>(first->usage.to_first_token).count();
    warm += std::chrono::duration<double>(second->usage.to_first_token).count();
    tokens = second->usage.prompt_tokens;
    cached = second->usage.cached_tokens;
  }
  const auto calls = static_cast<double>(state.iterations());
  state.counters["first_ms"] = cold * 1e3 / calls;
  state.counters["second_ms"] = warm * 1e3 / calls;
  state.counters["times_sooner"] = cold / warm;
  state.counters["prompt_tokens"] = tokens;
  state.counters["cached_tokens"] = cached;
}
BENCHMARK(FirstToken)->Iterations(5)->Unit(benchmark::kMillisecond);

// Whether the answer is an object of the schema: its three fields and nothing else.
bool fits(const std::string& text) {
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_object() || value.get_object().size() != 3) return false;
  const json::value* reason = value.get_object().if_contains("reason");
  const json::value* route = value.get_object().if_contains("route");
  const json::value* sure = value.get_object().if_contains("sure");
  return reason && reason->is_string() && sure && sure->is_bool() && route && route->is_string() &&
         (route->get_string() == "billing" || route->get_string() == "support" ||
          route->get_string() == "other");
}

void Grammar(benchmark::State& state) {
  if (const std::string why = why_no_real_model(); !why.empty())
    return state.SkipWithError(why.c_str());
  const auto client = opened("&prefixes=1");
  const char* const subjects[] = {
      "invoice", "password", "\"quoted\" text", "{\"json\": 1}", "naïve café", "订单", "😀", "\\n\\t"};
  int answers = 0;
  int parsed = 0;
  for (auto _ : state) {
    auto request = request_of(
        "You route messages: billing, support or other.",
        fmt::format("Message {}: {} {}", answers, subjects[answers % 8], answers * 7919 % 1000), 64);
    request.temperature = 1;
    request.seed = static_cast<std::uint64_t>(answers);
    request.json_schema =
        R"({"type": "object", "additionalProperties": false, "required": ["reason", "route", "sure"], "properties": {
            "reason": {"type": "string", "maxLength": 16}, "route": {"enum": ["billing", "support", "other"]},
            "sure": {"type": "boolean"}}})";
    const auto answer = client->complete(request);
    ++answers;
    parsed += answer && fits(answer->text) ? 1 : 0;
  }
  state.counters["answers"] = answers;
  state.counters["parsed"] = parsed;
}
BENCHMARK(Grammar)->Iterations(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace signalbox

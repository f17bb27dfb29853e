// Every message passes here once: a 12-word query must cost no more than 5 µs, a long text no more than
// ten times that.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "normalize/language.h"

namespace signalbox {
namespace {

void BM_TwelveWordQuery(benchmark::State& state) {
  const std::string text = "quais foram os dez clientes que mais compraram no mes de janeiro";
  for (auto _ : state) benchmark::DoNotOptimize(identify_language(text));
}
BENCHMARK(BM_TwelveWordQuery);

void BM_TwelveWordQueryWithHints(benchmark::State& state) {
  const std::string text = "quais foram os dez clientes que mais compraram no mes de janeiro";
  const std::vector<std::string> hints = {"en", "es", "pt", "zh"};
  for (auto _ : state) benchmark::DoNotOptimize(identify_language(text, hints));
}
BENCHMARK(BM_TwelveWordQueryWithHints);

void BM_OneWord(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(identify_language("obrigado"));
}
BENCHMARK(BM_OneWord);

void BM_ChineseQuery(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(identify_language("一月份购买最多的十位客户是谁"));
}
BENCHMARK(BM_ChineseQuery);

void BM_LongText(benchmark::State& state) {
  std::string text;
  while (text.size() < 100000)
    text += "quais foram os dez clientes que mais compraram no mes de janeiro ";
  for (auto _ : state) benchmark::DoNotOptimize(identify_language(text));
}
BENCHMARK(BM_LongText);

}  // namespace
}  // namespace signalbox

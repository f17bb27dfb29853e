// What a prediction costs beside the encoder. Data: 150 routes with 40 made-up rows each, 12-word
// messages that never repeat, so that weights are hot and the n-gram table is not. Budget: 40 µs for
// n-grams and head.
#include <benchmark/benchmark.h>

#include "model/gate_model_parts.h"
#include "model/gate_model_scores.h"
#include "model/ngram.h"
#include "model/train.h"
#include "test/fakes/fake_encoder.h"

namespace signalbox {
namespace {

constexpr std::size_t kRoutes = 150;

std::uint64_t next(std::uint64_t& state) {
  state ^= state << 13U;
  state ^= state >> 7U;
  state ^= state << 17U;
  return state;
}

std::string made_word(std::uint64_t number) {
  static constexpr const char* kSyllables[] = {"ba", "ce", "di", "fo", "gu", "la",
                                               "me", "ni", "po", "ru", "sa", "te"};
  std::string word;
  for (int i = 0; i < 3; ++i, number /= 12) word += kSyllables[number % 12];
  return word;
}

// Twelve words, four of them the route's own.
std::string made_text(std::size_t route, std::uint64_t& state) {
  std::string text;
  for (int i = 0; i < 12; ++i) {
    text +=
        (i == 0 ? "" : " ") + made_word(i % 3 == 0 ? route * 11 + next(state) % 6 : next(state) % 1728);
  }
  return text;
}

const GateModel& model() {
  static const GateModel kModel = [] {
    std::uint64_t state = 77;
    std::vector<TrainRow> rows;
    for (std::size_t route = 0; route < kRoutes; ++route) {
      for (int i = 0; i < 40; ++i)
        rows.push_back({made_text(route, state), {"route" + std::to_string(route)}});
    }
    return *train_gate(rows, {}, {}, {}, nullptr, {});
  }();
  return kModel;
}

const std::vector<std::string>& messages() {
  static const std::vector<std::string> kMessages = [] {
    std::uint64_t state = 99;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 4096; ++i) texts.push_back(made_text(i % kRoutes, state));
    return texts;
  }();
  return kMessages;
}

void BM_Ngrams(benchmark::State& state) {
  std::vector<NgramKey> keys;
  std::size_t i = 0;
  for (auto _ : state) {
    extract_ngrams(messages()[i++ % messages().size()], keys);
    benchmark::DoNotOptimize(keys.data());
  }
  state.counters["keys"] = static_cast<double>(keys.size());
}
BENCHMARK(BM_Ngrams)->Unit(benchmark::kMicrosecond);

void BM_Predict(benchmark::State& state) {
  std::size_t i = 0;
  model();
  for (auto _ : state) benchmark::DoNotOptimize(model().predict(messages()[i++ % messages().size()]));
}
BENCHMARK(BM_Predict)->Unit(benchmark::kMicrosecond);

// The encoder's block alone: 384 numbers against 150 routes, beside it the portable kernel.
void BM_EncoderBlock(benchmark::State& state) {
  const std::vector<float> weights(384 * kRoutes, 0.01F);
  const LaneMatrix matrix(weights, 384, kRoutes);
  const std::vector<float> vector(384, 0.05F);
  std::vector<float> out(kRoutes);
  for (auto _ : state) {
    matrix.add_products(vector, out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(BM_EncoderBlock)->Unit(benchmark::kMicrosecond);

void BM_TrainAProfile(benchmark::State& state) {
  std::vector<TrainRow> rows;
  std::uint64_t draw = 5;
  for (std::size_t route = 0; route < 8; ++route) {
    for (int i = 0; i < 12; ++i)
      rows.push_back({made_text(route, draw), {"route" + std::to_string(route)}});
  }
  const auto encoder = std::make_shared<FakeEncoder>(384);
  for (auto _ : state) benchmark::DoNotOptimize(train_gate(rows, {}, {}, {}, encoder, {}));
}
BENCHMARK(BM_TrainAProfile)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace signalbox

// What a prediction costs, without the encoder and with it. Data: 150 routes with 40 made-up rows each,
// 12-word messages that never repeat, so that weights are hot and the n-gram table is not. Budgets on
// one core: 40 µs for n-grams and head; with the shipped encoder 250 µs p50 and 400 µs p99 with AVX-512
// VNNI or NEON; and p50 seven times below all-MiniLM-L6 in 8 bits, which runs beside it where
// scripts/fetch-onnx.sh --models has fetched it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "model/gate_model_parts.h"
#include "model/gate_model_scores.h"
#include "model/hash_encoder.h"
#include "model/ngram.h"
#include "model/onnx_encoder.h"
#include "model/onnx_library.h"
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

std::vector<TrainRow> made_rows() {
  std::uint64_t state = 77;
  std::vector<TrainRow> rows;
  for (std::size_t route = 0; route < kRoutes; ++route) {
    for (int i = 0; i < 40; ++i)
      rows.push_back({made_text(route, state), {"route" + std::to_string(route)}});
  }
  return rows;
}

const GateModel& model() {
  static const GateModel kModel = *train_gate(made_rows(), {}, {}, {}, nullptr, {});
  return kModel;
}

// With the shipped encoder; null where it is not.
const GateModel* shipped_model() {
  static const std::unique_ptr<GateModel> kModel = [] {
    auto encoder = load_encoder(SIGNALBOX_SOURCE_DIR "/models/encoder.sbenc");
    if (!encoder) return std::unique_ptr<GateModel>();
    return std::make_unique<GateModel>(*train_gate(made_rows(), {}, {}, {}, *encoder, {}));
  }();
  return kModel.get();
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

template <typename Work>
void time_each(benchmark::State& state, const std::vector<std::string>& texts, Work work) {
  std::vector<double> micros;
  std::size_t i = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    work(texts[i++ % texts.size()]);
    micros.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(micros.begin(), micros.end());
  state.counters["p50_us"] = micros[micros.size() / 2];
  state.counters["p99_us"] = micros[micros.size() * 99 / 100];
}

void predict_each(benchmark::State& state, const std::vector<std::string>& texts) {
  const GateModel* gate = shipped_model();
  if (gate == nullptr) return state.SkipWithError("models/encoder.sbenc is not here");
  double encoded = 0;
  double all = 0;
  time_each(state, texts, [&](const std::string& text) {
    const GatePrediction prediction = gate->predict(text);
    encoded += prediction.used_encoder ? 1 : 0;
    all += 1;
  });
  state.counters["encoded"] = encoded / all;
}

// Messages like the rows: n-grams are often sure.
void BM_GateMessages(benchmark::State& state) {
  predict_each(state, messages());
}
BENCHMARK(BM_GateMessages)->Unit(benchmark::kMicrosecond);

// A word each of two routes among twelve, and of those messages the ones that need the encoder.
void BM_GateDoubtfulMessages(benchmark::State& state) {
  const GateModel* gate = shipped_model();
  std::uint64_t draw = 41;
  std::vector<std::string> texts;
  for (std::size_t i = 0; gate != nullptr && i < 4096; ++i) {
    std::string text = made_word(i % kRoutes * 11) + " " + made_word((i + 7) % kRoutes * 11);
    for (int word = 2; word < 12; ++word) text += " " + made_word(next(draw) % 1728);
    if (gate->predict(text).used_encoder) texts.push_back(std::move(text));
  }
  predict_each(state, texts);
}
BENCHMARK(BM_GateDoubtfulMessages)->Unit(benchmark::kMicrosecond);

// The encoder of others, alone: no head.
void BM_MiniLmBeside(benchmark::State& state) {
  OnnxOptions options;
  options.model = onnx_cache() / "models" / "all-minilm-l6-v2-q" / "model.onnx";
  options.tokenizer = onnx_cache() / "models" / "all-minilm-l6-v2-q" / "tokenizer.json";
  const auto encoder = load_onnx_encoder(options);
  if (!encoder) return state.SkipWithError(encoder.error().message.c_str());
  std::vector<float> out((*encoder)->dimensions());
  const std::string words = "please tell me how many open orders we had in ";
  std::vector<std::string> texts;
  for (const char* place : {"Lisbon", "Madrid", "Berlin", "Paris", "Rome", "Oslo", "Vienna", "Dublin"})
    texts.push_back(words + place + " yesterday");
  time_each(state, texts, [&](const std::string& text) { (*encoder)->encode(text, out); });
}
BENCHMARK(BM_MiniLmBeside)->Unit(benchmark::kMicrosecond);

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

// What an encoder of one's own costs beside the shipped one, in one run and on one core.
//
// all-MiniLM-L6 in 8 bits (22 MB, 6 layers) through ONNX Runtime against the shipped shape, with its
// weights when they are there and random ones otherwise: the cost is the same. 64 different queries of
// 12 words. No budget: the figure tells what bringing an encoder of one's own costs. Skipped without
// what scripts/fetch-onnx.sh --models fetches.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model/hash_encoder.h"
#include "model/onnx_encoder.h"
#include "model/onnx_library.h"
#include "model/tokenizer_json.h"
#include "test/fakes/random_encoder.h"

namespace signalbox {
namespace {

std::vector<std::string> queries() {
  const char* subjects[] = {"orders",  "customers", "invoices", "shipments",
                            "refunds", "products",  "tickets",  "payments"};
  const char* places[] = {"Lisbon", "Madrid", "Berlin", "Paris", "Rome", "Oslo", "Vienna", "Dublin"};
  std::vector<std::string> out;
  for (const char* subject : subjects) {
    for (const char* place : places) {
      out.push_back(std::string("show me how many ") + subject + " we had in " + place +
                    " during last month");
    }
  }
  return out;
}

void encode_all(benchmark::State& state, const Encoder& encoder) {
  const std::vector<std::string> texts = queries();
  std::vector<float> out(encoder.dimensions());
  std::size_t i = 0;
  for (auto _ : state) {
    encoder.encode(texts[i++ % texts.size()], out);
    benchmark::DoNotOptimize(out.data());
  }
}

OnnxOptions mini_lm() {
  const std::filesystem::path folder = onnx_cache() / "models" / "all-minilm-l6-v2-q";
  OnnxOptions options;
  options.model = folder / "model.onnx";
  options.tokenizer = folder / "tokenizer.json";
  return options;
}

void BM_ShippedEncoder(benchmark::State& state) {
  const std::string path = SIGNALBOX_SOURCE_DIR "/models/encoder.sbenc";
  static RandomEncoderFile random(RandomEncoderFile::kShipped);
  auto encoder =
      std::filesystem::exists(path) ? load_encoder(path) : load_encoder_from_memory(random.bytes());
  if (!encoder) return state.SkipWithError(encoder.error().message.c_str());
  encode_all(state, **encoder);
}
BENCHMARK(BM_ShippedEncoder)->Unit(benchmark::kMicrosecond);

void BM_OnnxMiniLm(benchmark::State& state) {
  const auto encoder = load_onnx_encoder(mini_lm());
  if (!encoder) return state.SkipWithError(encoder.error().message.c_str());
  encode_all(state, **encoder);
}
BENCHMARK(BM_OnnxMiniLm)->Unit(benchmark::kMicrosecond);

void BM_OnnxMiniLmTokenizerAlone(benchmark::State& state) {
  const auto tokenizer = tokenizer::JsonTokenizer::load(mini_lm().tokenizer);
  if (!tokenizer) return state.SkipWithError(tokenizer.error().message.c_str());
  const std::vector<std::string> texts = queries();
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(tokenizer->encode(texts[i++ % texts.size()]));
}
BENCHMARK(BM_OnnxMiniLmTokenizerAlone)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace signalbox

// What one query costs on each kernel, in one run, and where the time goes.
//
// Shape of the data: 4,096 different queries of 12 words drawn from 3,000 made-up words, random weights
// of the shipped shape (49,152 × 256, 3 layers, feed-forward 512, 384 out). Network weights stay in
// cache from query to query as in service; embedding rows are mostly cold, as words of new queries are.
// Budget on one core: 150 µs p50 with AVX-512 VNNI, 300 µs with AVX2.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "model/encoder_file.h"
#include "model/features.h"
#include "model/hash_encoder.h"
#include "model/kernels.h"
#include "model/words.h"
#include "test/fakes/random_encoder.h"

namespace signalbox {
namespace {

constexpr EncoderShape kShape = RandomEncoderFile::kShipped;

std::span<const std::byte> weights() {
  static RandomEncoderFile file(kShape);
  static const std::span<const std::byte> bytes = file.bytes();
  return bytes;
}

std::vector<std::string> make_queries(std::size_t words_each) {
  std::mt19937 random(7);
  std::vector<std::string> vocabulary;
  for (std::size_t i = 0; i < 3000; ++i) {
    std::string word;
    const std::size_t length = 1 + random() % 6 + random() % 5;
    for (std::size_t c = 0; c < length; ++c) word += static_cast<char>('a' + random() % 26);
    vocabulary.push_back(word);
  }
  std::vector<std::string> queries(4096);
  for (std::string& query : queries) {
    for (std::size_t w = 0; w < words_each; ++w) {
      if (w != 0) query += ' ';
      query += vocabulary[random() % vocabulary.size()];
    }
  }
  return queries;
}

const std::vector<std::string>& queries() {
  static const std::vector<std::string> list = make_queries(12);
  return list;
}

void report_percentiles(benchmark::State& state, std::vector<double>& micros) {
  if (micros.empty()) return;
  std::sort(micros.begin(), micros.end());
  state.counters["p50_us"] = micros[micros.size() / 2];
  state.counters["p99_us"] = micros[micros.size() * 99 / 100];
}

void encode_queries(benchmark::State& state, const Kernel* kernel, std::size_t words_each) {
  const auto encoder = load_encoder_from_memory(weights(), kernel->name);
  if (!encoder) return state.SkipWithError(encoder.error().message.c_str());
  const std::vector<std::string> list = make_queries(words_each);
  std::vector<float> out((*encoder)->dimensions());
  std::vector<double> micros;
  std::size_t next = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    (*encoder)->encode(list[next++ % list.size()], out);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    micros.push_back(took.count());
    benchmark::DoNotOptimize(out.data());
  }
  report_percentiles(state, micros);
}

// The matrices a stage works on, filled with numbers of the usual size.
struct Stage {
  explicit Stage(const Kernel& with) : kernel(with), tensors(*read_encoder(weights())) {
    std::mt19937 random(3);
    std::normal_distribution<float> value(0.0F, 1.0F);
    for (std::vector<float>* matrix : {&x, &wide}) {
      for (float& f : *matrix) f = value(random);
    }
    for (std::uint32_t& bucket : buckets)
      bucket = static_cast<std::uint32_t>(random() % kShape.buckets);
    const LinearTensors& from = tensors.layers[0].qkv;
    packed.resize(std::size_t{from.rows} * from.columns + 64);
    const std::size_t off = reinterpret_cast<std::uintptr_t>(packed.data()) % 64;
    std::uint8_t* begin = packed.data() + (64 - off) % 64;
    pack_linear(kernel, from, begin);
    qkv = {begin, from.scale, from.bias, from.rows, from.columns};
    quantized.values =
        reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(values.data()) + 63) / 64 * 64);
    quantized.scale = scales.data();
    kernel.quantize(x.data(), kRows, kShape.dim, quantized);
  }

  static constexpr std::size_t kRows = 12;
  const Kernel& kernel;
  EncoderTensors tensors;
  std::vector<float> x = std::vector<float>(kRows * kShape.dim);
  std::vector<float> wide = std::vector<float>(kRows * 3 * kShape.dim);
  std::vector<float> out = std::vector<float>(kRows * 3 * kShape.dim);
  std::vector<std::uint32_t> buckets = std::vector<std::uint32_t>(1 << 16);
  std::vector<std::uint8_t> packed;
  std::vector<std::byte> values = std::vector<std::byte>(kRows * kShape.ffn * 2 + 64);
  std::vector<float> scales = std::vector<float>(kRows);
  Quantized quantized;
  PackedLinear qkv;
};

void add_stages(const Kernel* kernel) {
  const std::string prefix = std::string("stage/") + kernel->name + "/";
  const auto add = [&](const char* name, auto run) {
    benchmark::RegisterBenchmark((prefix + name).c_str(), [kernel, run](benchmark::State& state) {
      Stage stage(*kernel);
      std::size_t turn = 0;
      for (auto _ : state) {
        run(stage, turn++);
        benchmark::DoNotOptimize(stage.out.data());
      }
    })->Unit(benchmark::kMicrosecond);
  };
  add("gather_12x15_rows", [](Stage& s, std::size_t turn) {
    for (std::size_t i = 0; i < Stage::kRows; ++i) {
      const std::size_t first = (turn * Stage::kRows + i) * 15 % (s.buckets.size() - 15);
      s.kernel.gather(s.tensors, s.buckets.data() + first, 15, s.x.data(),
                      s.out.data() + i * kShape.dim);
    }
  });
  add("norm_quantize_12x256", [](Stage& s, std::size_t) {
    s.kernel.norm_quantize(s.x.data(), Stage::kRows, kShape.dim, s.tensors.final_norm, s.quantized);
  });
  add("quantize_12x512", [](Stage& s, std::size_t) {
    s.kernel.quantize(s.wide.data(), Stage::kRows, kShape.ffn, s.quantized);
  });
  add("linear_12x256x768", [](Stage& s, std::size_t) {
    s.kernel.linear(s.qkv, s.quantized, Stage::kRows, LinearOutput::Store, s.out.data());
  });
  add("attend_12x256", [](Stage& s, std::size_t) {
    s.kernel.attend(s.wide.data(), Stage::kRows, kShape.dim, kShape.heads, s.out.data());
  });
  add("pool_12x256", [](Stage& s, std::size_t) {
    s.kernel.pool(s.x.data(), Stage::kRows, kShape.dim, s.tensors.pool_query, s.out.data());
  });
}

void split(benchmark::State& state, void (*splitter)(std::string_view, Words&)) {
  Words words;
  std::size_t next = 0;
  for (auto _ : state) {
    splitter(queries()[next++ % queries().size()], words);
    benchmark::DoNotOptimize(words.list.data());
  }
}

void features(benchmark::State& state) {
  std::vector<Words> split(queries().size());
  for (std::size_t i = 0; i < split.size(); ++i) split_words(queries()[i], split[i]);
  std::vector<std::uint32_t> out(kShape.max_features);
  std::size_t next = 0, count = 0;
  for (auto _ : state) {
    const Words& words = split[next++ % split.size()];
    for (const Word& word : words.list) count += word_features(words, word, kShape.buckets, out);
  }
  state.counters["rows_a_query"] = static_cast<double>(count) / static_cast<double>(next);
}

void load(benchmark::State& state) {
  const std::string path = std::string(SIGNALBOX_BINARY_DIR) + "/bench_encoder.sbenc";
  RandomEncoderFile(kShape).save(path);
  for (auto _ : state) {
    const auto encoder = load_encoder(path);
    if (!encoder) return state.SkipWithError(encoder.error().message.c_str());
    benchmark::DoNotOptimize(encoder->get());
  }
}

const bool kRegistered = [] {
  for (const Kernel* kernel : kernels()) {
    for (const std::size_t words : {1, 4, 12, 48}) {
      const std::string name =
          std::string("encode/") + kernel->name + "/words:" + std::to_string(words);
      benchmark::RegisterBenchmark(name.c_str(), encode_queries, kernel, words)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  for (const Kernel* kernel : kernels()) add_stages(kernel);
  benchmark::RegisterBenchmark("words/ascii", split, split_words)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("words/icu", split, split_words_with_icu)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("features", features)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("load", load)->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace signalbox

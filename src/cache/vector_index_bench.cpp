// Shape: a full cache of 4,096 decisions, vectors of the shipped encoder's 384 dimensions, one context.
// Budget: 100 µs a search, beside the encoder's own call of about as much.

#include <benchmark/benchmark.h>

#include <cmath>

#include "cache/vector_index.h"

namespace signalbox {
namespace {

std::vector<float> unit_vector(std::uint64_t seed) {
  std::vector<float> out(384);
  float sum = 0;
  for (float& v : out) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    v = static_cast<float>(static_cast<std::int32_t>(seed >> 32U)) / 2147483648.0F;
    sum += v * v;
  }
  for (float& v : out) v /= std::sqrt(sum);
  return out;
}

void BM_NearestOf4096(benchmark::State& state) {
  VectorIndex index(4096, 384);
  for (std::size_t slot = 0; slot < 4096; ++slot) index.put(slot, 7, unit_vector(slot + 1));
  const std::vector<float> wanted = unit_vector(4242);
  for (auto _ : state) benchmark::DoNotOptimize(index.nearest(7, wanted));
}
BENCHMARK(BM_NearestOf4096)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace signalbox

// The loops of head_kernels.h, included once in each head_kernels*.cpp, compiled for its instruction
// set.
#pragma once

#include "model/head_kernels.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace signalbox {
namespace {

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), may_alias));
using Mask = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t)), may_alias));

inline const Lanes& lanes(const float* at) {
  return *reinterpret_cast<const Lanes*>(at);
}
inline Lanes& lanes(float* at) {
  return *reinterpret_cast<Lanes*>(at);
}

// Four sums side by side hide the latency of the addition; their order is part of the result.
inline void dense_sum(const float* values, std::size_t size, const float* weights, Lanes& out) {
  Lanes part[4] = {};
  std::size_t d = 0;
  for (; d + 4 <= size; d += 4) {
    part[0] += values[d] * lanes(weights + d * kLanes);
    part[1] += values[d + 1] * lanes(weights + (d + 1) * kLanes);
    part[2] += values[d + 2] * lanes(weights + (d + 2) * kLanes);
    part[3] += values[d + 3] * lanes(weights + (d + 3) * kLanes);
  }
  for (; d < size; ++d) part[0] += values[d] * lanes(weights + d * kLanes);
  out = (part[0] + part[1]) + (part[2] + part[3]);
}

inline void score_row(const SvmMatrix& x, const SvmBlockWeights& w, std::size_t row, Lanes& sparse,
                      Lanes& dense) {
  sparse = lanes(w.bias);
  for (std::uint32_t k = x.row_begin[row]; k < x.row_begin[row + 1]; ++k) {
    sparse += x.value[k] * lanes(w.sparse + std::size_t{x.index[k]} * kLanes);
  }
  dense_sum(x.dense + row * x.dense_size, x.dense_size, w.dense, dense);
}

inline void add(const SvmMatrix& x, const SvmBlockWeights& w, std::size_t row, const Lanes& factor) {
  lanes(w.bias) += factor;
  for (std::uint32_t k = x.row_begin[row]; k < x.row_begin[row + 1]; ++k) {
    lanes(w.sparse + std::size_t{x.index[k]} * kLanes) += x.value[k] * factor;
  }
  const float* values = x.dense + row * x.dense_size;
  for (std::size_t d = 0; d < x.dense_size; ++d) lanes(w.dense + d * kLanes) += values[d] * factor;
}

inline float largest(const Lanes& values) {
  float top = 0;
  for (std::size_t i = 0; i < kLanes; ++i) top = values[i] > top ? values[i] : top;
  return top;
}

float sweep_body(const SvmMatrix& x, const SvmBlockWeights& w, const SvmSweep& s) {
  constexpr float kSettled = 5e-3F;
  const Lanes zero = {};
  Lanes worst = {};
  for (std::size_t n = 0; n < s.count; ++n) {
    const std::size_t row = s.order[n];
    if (s.rest[row] > 0) {
      --s.rest[row];
      continue;
    }
    Lanes sparse;
    Lanes dense;
    score_row(x, w, row, sparse, dense);
    const Lanes y = lanes(s.sign + row * kLanes);
    const Lanes slack = lanes(s.slack + row * kLanes);
    Lanes& alpha = lanes(s.alpha + row * kLanes);
    const Lanes gradient = y * (sparse + dense) - 1.0F + alpha * slack;
    // At the bound only a negative gradient moves a coordinate.
    const Mask at_bound = (alpha <= zero);
    const Mask idle = at_bound & (gradient >= zero);
    const Lanes violation = idle ? zero : (gradient < zero ? -gradient : gradient);
    const float most = largest(violation);
    if (most < kSettled) {
      s.calm[row] = static_cast<std::uint8_t>(s.calm[row] < 7 ? s.calm[row] + 1 : 7);
      s.rest[row] = s.calm[row];
      continue;
    }
    s.calm[row] = 0;
    worst = violation > worst ? violation : worst;
    const Lanes moved = alpha - gradient / (s.norm[row] + slack);
    const Lanes next = moved > zero ? moved : zero;
    const Lanes factor = (next - alpha) * y;
    alpha = next;
    add(x, w, row, factor);
  }
  return largest(worst);
}

void add_row_body(const SvmMatrix& x, const SvmBlockWeights& w, std::size_t row, const float* factor) {
  add(x, w, row, lanes(factor));
}

void score_body(const SvmMatrix& x, const SvmBlockWeights& w, std::size_t row, float* sparse,
                float* dense) {
  score_row(x, w, row, lanes(sparse), lanes(dense));
}

void add_bytes_body(const std::int8_t* weights, std::size_t groups, std::int32_t factor,
                    std::int32_t* sums) {
  for (std::size_t g = 0; g < groups; ++g) {
    const std::int8_t* bytes = weights + g * kLanes;
    std::int32_t* sum = sums + g * kLanes;
#if defined(__AVX2__)
    for (std::size_t half = 0; half < kLanes; half += 8) {
      const __m256i wide =
          _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes + half)));
      const __m256i product = _mm256_mullo_epi32(wide, _mm256_set1_epi32(factor));
      auto* at = reinterpret_cast<__m256i*>(sum + half);
      _mm256_store_si256(at, _mm256_add_epi32(_mm256_load_si256(at), product));
    }
#else
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum[lane] += factor * bytes[lane];
#endif
  }
}

void dense_body(const float* values, std::size_t size, const float* weights, float* out) {
  dense_sum(values, size, weights, lanes(out));
}

}  // namespace
}  // namespace signalbox

// The float half of a kernel: embeddings, norms, quantization, attention, pooling.
//
// Only for kernels_*.cpp, each of which compiles its own copy (see float_math.h). `Value` is the type
// in which the kernel wants its quantized activations.
#pragma once

#include "model/float_math.h"
#include "model/kernels.h"

namespace signalbox {
namespace {

inline constexpr float kNormEpsilon = 1e-5F;
inline constexpr float kSmallestRow = 1e-30F;  // absmax below which a row counts as zeros

void gather(const EncoderTensors& tensors, const std::uint32_t* buckets, std::size_t count,
            const float* position, float* out) {
  constexpr std::size_t kBlock = 4;  // registers' worth of columns added up at a time
  const std::size_t dim = tensors.shape.dim;
  const Lanes divisor = splat(1.0F / __builtin_sqrtf(static_cast<float>(count)));
  for (std::size_t column = 0; column < dim; column += kBlock * kLanes) {
    Lanes total[kBlock] = {};
    for (std::size_t i = 0; i < count; ++i) {
      const std::int8_t* row = tensors.embeddings + std::size_t{buckets[i]} * dim + column;
      const Lanes scale = splat(tensors.embedding_scale[buckets[i]]);
#pragma GCC unroll 4
      for (std::size_t b = 0; b < kBlock; ++b)
        total[b] = total[b] + load_bytes(row + b * kLanes) * scale;
    }
#pragma GCC unroll 4
    for (std::size_t b = 0; b < kBlock; ++b) {
      const std::size_t at = column + b * kLanes;
      store(out + at, total[b] * divisor + load(position + at));
    }
  }
}

// A row is read in four interleaved strands, so that additions need not wait for each other; strands
// are added up as (0 + 1) + (2 + 3). Every size is a multiple of kStride.
inline constexpr std::size_t kStrands = 4;
inline constexpr std::size_t kStride = kStrands * kLanes;

struct Strands {
  Lanes strand[kStrands];

  SIGNALBOX_INLINE Lanes total() const { return (strand[0] + strand[1]) + (strand[2] + strand[3]); }
  SIGNALBOX_INLINE Lanes most() const {
    return larger(larger(strand[0], strand[1]), larger(strand[2], strand[3]));
  }
};

// Calls f(strand's accumulator, offset) for every 16 columns and returns the accumulators.
template <typename F>
SIGNALBOX_INLINE Strands accumulate(std::size_t columns, F f) {
  Strands strands = {};
  for (std::size_t i = 0; i < columns; i += kStride) {
#pragma GCC unroll 4
    for (std::size_t s = 0; s < kStrands; ++s) {
      strands.strand[s] = f(strands.strand[s], i + s * kLanes);
    }
  }
  return strands;
}

template <typename Value>
SIGNALBOX_INLINE void quantize_row(const float* x, std::size_t columns, float absmax, Value* out,
                                   float* scale) {
  const bool is_zero = absmax < kSmallestRow;
  *scale = is_zero ? 0.0F : absmax / 127.0F;
  const Lanes factor = splat(is_zero ? 0.0F : 127.0F / absmax);
  for (std::size_t i = 0; i < columns; i += kLanes) store_rounded(out + i, load(x + i) * factor);
}

template <typename Value>
void quantize(const float* x, std::size_t rows, std::size_t columns, Quantized out) {
  auto* values = static_cast<Value*>(out.values);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* row = x + r * columns;
    const Strands most = accumulate(columns, [&](const Lanes& seen, std::size_t i) {
      return larger(seen, magnitude(load(row + i)));
    });
    quantize_row(row, columns, largest(most.most()), values + r * columns, out.scale + r);
  }
}

// Returns the largest magnitude of the result.
SIGNALBOX_INLINE float norm_row(const float* x, std::size_t dim, const NormTensors& norm, float* out) {
  const float size = static_cast<float>(dim);
  const Strands total =
      accumulate(dim, [&](const Lanes& seen, std::size_t i) { return seen + load(x + i); });
  const Lanes mean = splat(sum(total.total()) / size);
  const Strands squares = accumulate(dim, [&](const Lanes& seen, std::size_t i) {
    const Lanes off = load(x + i) - mean;
    return seen + off * off;
  });
  const Lanes factor = splat(1.0F / __builtin_sqrtf(sum(squares.total()) / size + kNormEpsilon));
  const Strands most = accumulate(dim, [&](const Lanes& seen, std::size_t i) {
    const Lanes y = (load(x + i) - mean) * factor * load(norm.gain + i) + load(norm.bias + i);
    store(out + i, y);
    return larger(seen, magnitude(y));
  });
  return largest(most.most());
}

void norm(const float* x, std::size_t rows, std::size_t dim, const NormTensors& tensors, float* out) {
  for (std::size_t row = 0; row < rows; ++row) norm_row(x + row * dim, dim, tensors, out + row * dim);
}

template <typename Value>
void norm_quantize(const float* x, std::size_t rows, std::size_t dim, const NormTensors& tensors,
                   Quantized out) {
  alignas(64) float normed[kLargestShape.dim];
  auto* values = static_cast<Value*>(out.values);
  for (std::size_t row = 0; row < rows; ++row) {
    const float absmax = norm_row(x + row * dim, dim, tensors, normed);
    quantize_row(normed, dim, absmax, values + row * dim, out.scale + row);
  }
}

// y = sums * (weight scale * activation scale) + bias: the end of every linear layer.
SIGNALBOX_INLINE void finish(const IntLanes& sums, const PackedLinear& matrix, std::size_t row,
                             float activation_scale, LinearOutput mode, float* out) {
  const Lanes scale = load(matrix.scale + row) * splat(activation_scale);
  Lanes y = to_float(sums) * scale + load(matrix.bias + row);
  if (mode == LinearOutput::StoreRelu) y = larger(y, splat(0.0F));
  if (mode == LinearOutput::Add) y = load(out) + y;
  store(out, y);
}

// Scores of kRows keys against 16 queries: lanes are queries, so nothing is summed across lanes.
template <std::size_t kRows>
SIGNALBOX_INLINE void score_keys(const float* keys, std::size_t stride, const float* queries,
                                 std::size_t head, const Lanes& scale, float* scores) {
  Lanes total[kRows] = {};
  for (std::size_t d = 0; d < head; ++d) {
    const Lanes query = load(queries + d * kLanes);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < kRows; ++r) total[r] = total[r] + splat(keys[r * stride + d]) * query;
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < kRows; ++r) store(scores + r * kLanes, total[r] * scale);
}

// Turns scores[row][lane] into weights that add up to 1 / factor[lane] over the rows.
SIGNALBOX_INLINE Lanes softmax_columns(float* scores, std::size_t rows) {
  Lanes most = load(scores);
  for (std::size_t j = 1; j < rows; ++j) most = larger(most, load(scores + j * kLanes));
  Lanes total = splat(0.0F);
  for (std::size_t j = 0; j < rows; ++j) {
    const Lanes weight = exp_lanes(load(scores + j * kLanes) - most);
    store(scores + j * kLanes, weight);
    total = total + weight;
  }
  return splat(1.0F) / total;
}

// The weighted sum of all rows' values, 16 columns of it, for kRows queries.
template <std::size_t kRows>
SIGNALBOX_INLINE void mix_values(const float* values, std::size_t stride, std::size_t rows,
                                 const float* weights, const float* factors, float* out,
                                 std::size_t out_stride) {
  Lanes total[kRows] = {};
  for (std::size_t j = 0; j < rows; ++j) {
    const Lanes value = load(values + j * stride);
#pragma GCC unroll 6
    for (std::size_t r = 0; r < kRows; ++r)
      total[r] = total[r] + splat(weights[j * kLanes + r]) * value;
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kRows; ++r) store(out + r * out_stride, total[r] * splat(factors[r]));
}

// Up to 16 rows become 16 lanes of out[column]; lanes without a row are zero.
SIGNALBOX_INLINE void transpose(const float* x, std::size_t rows, std::size_t stride,
                                std::size_t columns, float* out) {
  for (std::size_t i = 0; i < kLanes; i += 4) {
    for (std::size_t d = 0; d < columns; d += 4) {
      Float4 row[4] = {};
#pragma GCC unroll 4
      for (std::size_t r = 0; r < 4; ++r) {
        if (i + r < rows) row[r] = load_native<Float4>(x + (i + r) * stride + d);
      }
      const Float4 a = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
      const Float4 b = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
      const Float4 c = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
      const Float4 e = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
      const Float4 columns4[4] = {
          __builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
          __builtin_shufflevector(c, e, 0, 1, 4, 5), __builtin_shufflevector(c, e, 2, 3, 6, 7)};
#pragma GCC unroll 4
      for (std::size_t r = 0; r < 4; ++r) {
        __builtin_memcpy(out + (d + r) * kLanes + i, &columns4[r], sizeof(Float4));
      }
    }
  }
}

// One head, up to 16 queries.
SIGNALBOX_INLINE void attend_block(const float* qkv, std::size_t rows, std::size_t first,
                                   std::size_t queries, std::size_t dim, std::size_t head, float* out) {
  constexpr std::size_t kKeys = kNative == 4 ? 3 : 6;  // as many as the registers hold
  constexpr std::size_t kQueries = kKeys;
  alignas(64) float transposed[kLargestHead * kLanes];
  alignas(64) float scores[kLargestShape.max_words * kLanes];
  alignas(64) float factors[kLanes];
  const std::size_t stride = 3 * dim;
  transpose(qkv + first * stride, queries, stride, head, transposed);
  const Lanes scale = splat(1.0F / __builtin_sqrtf(static_cast<float>(head)));
  const float* keys = qkv + dim;
  std::size_t j = 0;
  for (; j + kKeys <= rows; j += kKeys) {
    score_keys<kKeys>(keys + j * stride, stride, transposed, head, scale, scores + j * kLanes);
  }
  for (; j < rows; ++j) {
    score_keys<1>(keys + j * stride, stride, transposed, head, scale, scores + j * kLanes);
  }
  store(factors, softmax_columns(scores, rows));

  const float* values = qkv + 2 * dim;
  for (std::size_t d = 0; d < head; d += kLanes) {
    std::size_t i = 0;
    for (; i + kQueries <= queries; i += kQueries) {
      mix_values<kQueries>(values + d, stride, rows, scores + i, factors + i,
                           out + (first + i) * dim + d, dim);
    }
    for (; i < queries; ++i) {
      mix_values<1>(values + d, stride, rows, scores + i, factors + i, out + (first + i) * dim + d,
                    dim);
    }
  }
}

void attend(const float* qkv, std::size_t rows, std::size_t dim, std::size_t heads, float* out) {
  const std::size_t head = dim / heads;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t first = 0; first < rows; first += kLanes) {
      const std::size_t queries = rows - first < kLanes ? rows - first : kLanes;
      attend_block(qkv + h * head, rows, first, queries, dim, head, out + h * head);
    }
  }
}

void pool(const float* x, std::size_t rows, std::size_t dim, const float* query, float* out) {
  alignas(64) float weights[kLargestShape.max_words + kLanes] = {};
  const float scale = 1.0F / __builtin_sqrtf(static_cast<float>(dim));
  float most = 0.0F;
  for (std::size_t row = 0; row < rows; ++row) {
    const Strands dot = accumulate(dim, [&](const Lanes& seen, std::size_t i) {
      return seen + load(x + row * dim + i) * load(query + i);
    });
    weights[row] = sum(dot.total()) * scale;
    most = row == 0 || weights[row] > most ? weights[row] : most;
  }
  float total = 0.0F;
  for (std::size_t row = 0; row < rows; row += kLanes) {
    store(weights + row, exp_lanes(load(weights + row) - splat(most)));
  }
  for (std::size_t row = 0; row < rows; ++row) total += weights[row];
  const Lanes factor = splat(1.0F / total);
  for (std::size_t i = 0; i < dim; i += kLanes) {
    Lanes mean = splat(0.0F);
    for (std::size_t row = 0; row < rows; ++row) {
      mean = mean + splat(weights[row]) * load(x + row * dim + i);
    }
    store(out + i, mean * factor);
  }
}

void normalize(float* x, std::size_t size) {
  const Strands squares = accumulate(
      size, [&](const Lanes& seen, std::size_t i) { return seen + load(x + i) * load(x + i); });
  const float length = __builtin_sqrtf(sum(squares.total()));
  if (!(length > 0.0F)) return;
  const Lanes factor = splat(1.0F / length);
  for (std::size_t i = 0; i < size; i += kLanes) store(x + i, load(x + i) * factor);
}

// Rows are taken in blocks of equal size, at most `most` each, so that none is left with one row.
SIGNALBOX_INLINE std::size_t rows_of_block(std::size_t left, std::size_t most) {
  const std::size_t blocks = (left + most - 1) / most;
  return (left + blocks - 1) / blocks;
}

}  // namespace
}  // namespace signalbox

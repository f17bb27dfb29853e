// The kernel for AVX-512 with VNNI: 64 multiply-adds an instruction, 12 words × 32 outputs in
// registers, so that each weight is loaded once for a query of average length.
//
// vpdpbusd multiplies unsigned by signed: weights are stored with 128 added, and 128 times the sum of
// the activations is taken off again, exactly.

#include "model/kernels.h"

#if defined(__AVX512VNNI__)

#include <immintrin.h>

#include "model/kernels_float.h"

namespace signalbox {
namespace {

constexpr std::size_t kPanel = 32;
constexpr std::size_t kGroup = 4;
constexpr std::size_t kRowsTogether = 12;
// Bytes of weights asked for ahead of their use, as far as a panel of the usual 256 columns is long:
// between two queries the rest of the program pushes them out of the nearest cache.
constexpr std::size_t kAhead = 8192;

std::int32_t row_sum(const std::int8_t* x, std::size_t columns) {
  __m512i total = _mm512_setzero_si512();
  const __m512i ones = _mm512_set1_epi8(1);
  for (std::size_t i = 0; i < columns; i += 64) {
    total = _mm512_dpbusd_epi32(total, ones, _mm512_loadu_si512(x + i));
  }
  std::int32_t lanes[16];
  _mm512_storeu_si512(lanes, total);
  std::int32_t sum = 0;
  for (const std::int32_t lane : lanes) sum += lane;
  return sum;
}

struct Task {
  const PackedLinear* matrix;
  std::size_t panel;
  const std::int8_t* x;
  const float* scale;
  const std::int32_t* row_sums;
  LinearOutput mode;
  float* out;
};

// Written out because gcc 12 copies the accumulators to the stack and back around the intrinsic, which
// costs half the speed.
SIGNALBOX_INLINE void multiply_add(NativeInt& total, const NativeInt& weights, const NativeInt& x) {
  asm("vpdpbusd %2, %1, %0" : "+v"(total) : "v"(weights), "v"(x));
}

SIGNALBOX_INLINE NativeInt broadcast_four(const std::int8_t* x) {
  std::int32_t four;
  __builtin_memcpy(&four, x, sizeof four);
  return four - NativeInt{};
}

template <std::size_t kRows>
void multiply(const Task& task) {
  const std::size_t columns = task.matrix->columns;
  const std::uint8_t* weights = task.matrix->weights + task.panel * columns;
  IntLanes low[kRows], high[kRows];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
    low[r].part[0] = high[r].part[0] = NativeInt{} - 128 * task.row_sums[r];
  }
  for (std::size_t k = 0; k < columns; k += 2 * kGroup) {
    const std::uint8_t* at = weights + k * kPanel;
    for (std::size_t line = 0; line < 256; line += 64) __builtin_prefetch(at + kAhead + line);
    const auto w0 = load_native<NativeInt>(at);
    const auto w1 = load_native<NativeInt>(at + 64);
    const auto w2 = load_native<NativeInt>(at + 128);
    const auto w3 = load_native<NativeInt>(at + 192);
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      const NativeInt first = broadcast_four(task.x + r * columns + k);
      multiply_add(low[r].part[0], w0, first);
      multiply_add(high[r].part[0], w1, first);
      const NativeInt second = broadcast_four(task.x + r * columns + k + kGroup);
      multiply_add(low[r].part[0], w2, second);
      multiply_add(high[r].part[0], w3, second);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
    float* out = task.out + r * task.matrix->rows + task.panel;
    finish(low[r], *task.matrix, task.panel, task.scale[r], task.mode, out);
    finish(high[r], *task.matrix, task.panel + kLanes, task.scale[r], task.mode, out + kLanes);
  }
}

using Multiply = void (*)(const Task&);
constexpr Multiply kMultiply[kRowsTogether] = {multiply<1>, multiply<2>,  multiply<3>,  multiply<4>,
                                               multiply<5>, multiply<6>,  multiply<7>,  multiply<8>,
                                               multiply<9>, multiply<10>, multiply<11>, multiply<12>};

void linear(const PackedLinear& matrix, Quantized x, std::size_t rows, LinearOutput mode, float* out) {
  const auto* values = static_cast<const std::int8_t*>(x.values);
  std::int32_t row_sums[kLargestShape.max_words];
  for (std::size_t row = 0; row < rows; ++row) {
    row_sums[row] = row_sum(values + row * matrix.columns, matrix.columns);
  }
  for (std::size_t panel = 0; panel < matrix.rows; panel += kPanel) {
    for (std::size_t row = 0; row < rows;) {
      const std::size_t block = rows_of_block(rows - row, kRowsTogether);
      kMultiply[block - 1]({&matrix, panel, values + row * matrix.columns, x.scale + row,
                            row_sums + row, mode, out + row * matrix.rows});
      row += block;
    }
  }
}

constexpr Kernel kKernel = {"avx512vnni",
                            kPanel,
                            kGroup,
                            0x80,
                            sizeof(std::int8_t),
                            gather,
                            quantize<std::int8_t>,
                            norm,
                            norm_quantize<std::int8_t>,
                            linear,
                            attend,
                            pool,
                            normalize};

}  // namespace

const Kernel* avx512vnni_kernel() {
  return &kKernel;
}

}  // namespace signalbox

#else

namespace signalbox {
const Kernel* avx512vnni_kernel() {
  return nullptr;
}
}  // namespace signalbox

#endif

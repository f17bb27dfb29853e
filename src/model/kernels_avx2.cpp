// The kernel for AVX2: 16-bit products added in pairs (vpmaddwd), which cannot overflow, 6 words × 16
// outputs in registers. Weights stay 8 bits in memory and are widened on the way in.

#include "model/kernels.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include "model/kernels_float.h"

namespace signalbox {
namespace {

constexpr std::size_t kPanel = 16;
constexpr std::size_t kGroup = 2;
constexpr std::size_t kRowsTogether = 6;

struct Task {
  const PackedLinear* matrix;
  std::size_t panel;
  const std::int16_t* x;
  const float* scale;
  LinearOutput mode;
  float* out;
};

// Written out because gcc 12 keeps half the accumulators on the stack around the intrinsics.
SIGNALBOX_INLINE void multiply_add(NativeInt& total, const __m256i& weights, const __m256i& x) {
  __m256i products;
  asm("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0" : "+x"(total), "=&x"(products) : "x"(weights), "x"(x));
}

template <std::size_t kRows>
void multiply(const Task& task) {
  const std::size_t columns = task.matrix->columns;
  const std::uint8_t* weights = task.matrix->weights + task.panel * columns;
  IntLanes total[kRows] = {};
  for (std::size_t k = 0; k < columns; k += kGroup) {
    const auto* at = reinterpret_cast<const __m128i*>(weights + k * kPanel);
    const __m256i w0 = _mm256_cvtepi8_epi16(_mm_load_si128(at));
    const __m256i w1 = _mm256_cvtepi8_epi16(_mm_load_si128(at + 1));
#pragma GCC unroll 6
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t two;
      __builtin_memcpy(&two, task.x + r * columns + k, sizeof two);
      const __m256i x = _mm256_set1_epi32(two);
      multiply_add(total[r].part[0], w0, x);
      multiply_add(total[r].part[1], w1, x);
    }
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kRows; ++r) {
    finish(total[r], *task.matrix, task.panel, task.scale[r], task.mode,
           task.out + r * task.matrix->rows + task.panel);
  }
}

using Multiply = void (*)(const Task&);
constexpr Multiply kMultiply[kRowsTogether] = {multiply<1>, multiply<2>, multiply<3>,
                                               multiply<4>, multiply<5>, multiply<6>};

void linear(const PackedLinear& matrix, Quantized x, std::size_t rows, LinearOutput mode, float* out) {
  const auto* values = static_cast<const std::int16_t*>(x.values);
  for (std::size_t panel = 0; panel < matrix.rows; panel += kPanel) {
    for (std::size_t row = 0; row < rows;) {
      const std::size_t block = rows_of_block(rows - row, kRowsTogether);
      kMultiply[block - 1]({&matrix, panel, values + row * matrix.columns, x.scale + row, mode,
                            out + row * matrix.rows});
      row += block;
    }
  }
}

constexpr Kernel kKernel = {"avx2",
                            kPanel,
                            kGroup,
                            0,
                            sizeof(std::int16_t),
                            gather,
                            quantize<std::int16_t>,
                            norm,
                            norm_quantize<std::int16_t>,
                            linear,
                            attend,
                            pool,
                            normalize};

}  // namespace

const Kernel* avx2_kernel() {
  return &kKernel;
}

}  // namespace signalbox

#else

namespace signalbox {
const Kernel* avx2_kernel() {
  return nullptr;
}
}  // namespace signalbox

#endif

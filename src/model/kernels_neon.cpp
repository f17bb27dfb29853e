// The kernel for arm64 with the dot product instructions: 16 multiply-adds an instruction, 6 words × 16
// outputs in registers.

#include "model/kernels.h"

#if defined(__ARM_FEATURE_DOTPROD)

#include <arm_neon.h>

#include "model/kernels_float.h"

namespace signalbox {
namespace {

constexpr std::size_t kPanel = 16;
constexpr std::size_t kGroup = 4;
constexpr std::size_t kRowsTogether = 6;

struct Task {
  const PackedLinear* matrix;
  std::size_t panel;
  const std::int8_t* x;
  const float* scale;
  LinearOutput mode;
  float* out;
};

template <std::size_t kRows>
void multiply(const Task& task) {
  const std::size_t columns = task.matrix->columns;
  const auto* weights =
      reinterpret_cast<const std::int8_t*>(task.matrix->weights + task.panel * columns);
  int32x4_t total[kRows][4];
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < 4; ++v) total[r][v] = vdupq_n_s32(0);
  }
  for (std::size_t k = 0; k < columns; k += kGroup) {
    const std::int8_t* at = weights + k * kPanel;
    const int8x16_t w[4] = {vld1q_s8(at), vld1q_s8(at + 16), vld1q_s8(at + 32), vld1q_s8(at + 48)};
#pragma GCC unroll 6
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t four;
      __builtin_memcpy(&four, task.x + r * columns + k, sizeof four);
      const int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(four));
#pragma GCC unroll 4
      for (std::size_t v = 0; v < 4; ++v) total[r][v] = vdotq_s32(total[r][v], w[v], x);
    }
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kRows; ++r) {
    IntLanes lanes;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < 4; ++v) lanes.part[v] = reinterpret_cast<NativeInt>(total[r][v]);
    finish(lanes, *task.matrix, task.panel, task.scale[r], task.mode,
           task.out + r * task.matrix->rows + task.panel);
  }
}

using Multiply = void (*)(const Task&);
constexpr Multiply kMultiply[kRowsTogether] = {multiply<1>, multiply<2>, multiply<3>,
                                               multiply<4>, multiply<5>, multiply<6>};

void linear(const PackedLinear& matrix, Quantized x, std::size_t rows, LinearOutput mode, float* out) {
  const auto* values = static_cast<const std::int8_t*>(x.values);
  for (std::size_t panel = 0; panel < matrix.rows; panel += kPanel) {
    for (std::size_t row = 0; row < rows;) {
      const std::size_t block = rows_of_block(rows - row, kRowsTogether);
      kMultiply[block - 1]({&matrix, panel, values + row * matrix.columns, x.scale + row, mode,
                            out + row * matrix.rows});
      row += block;
    }
  }
}

constexpr Kernel kKernel = {"neon",
                            kPanel,
                            kGroup,
                            0,
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

const Kernel* neon_kernel() {
  return &kKernel;
}

}  // namespace signalbox

#else

namespace signalbox {
const Kernel* neon_kernel() {
  return nullptr;
}
}  // namespace signalbox

#endif

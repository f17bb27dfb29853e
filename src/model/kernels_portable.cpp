// The kernel for every processor: what the others are tested against, and what runs where none fits.

#include "model/kernels_float.h"

namespace signalbox {
namespace {

typedef std::int16_t Short8 __attribute__((vector_size(16)));
typedef std::int32_t Int4 __attribute__((vector_size(16)));

constexpr std::size_t kPanel = 16;
constexpr std::size_t kGroup = 2;
constexpr std::size_t kRowsTogether = 2;

SIGNALBOX_INLINE Int4 even_lanes(Short8 x) {
  return reinterpret_cast<Int4>(x) << 16 >> 16;
}
SIGNALBOX_INLINE Int4 odd_lanes(Short8 x) {
  return reinterpret_cast<Int4>(x) >> 16;
}

// Two products of ±127 and ±128 fit 16 bits, so inputs are taken in pairs before they are widened.
// Shifts stand in for the widening instructions of one processor or another.
template <std::size_t kRows>
void multiply(const std::uint8_t* weights, const std::int16_t* x, std::size_t columns,
              std::int32_t (*sums)[kPanel]) {
  Int4 even[kRows][2] = {}, odd[kRows][2] = {};
  for (std::size_t k = 0; k < columns; k += kGroup) {
#pragma GCC unroll 2
    for (std::size_t half = 0; half < 2; ++half) {
      const auto both = load_native<Short8>(weights + k * kPanel + half * 16);
      const Short8 first = both << 8 >> 8;
      const Short8 second = both >> 8;
#pragma GCC unroll 2
      for (std::size_t r = 0; r < kRows; ++r) {
        const std::int16_t* pair = x + r * columns + k;
        const Short8 products = first * pair[0] + second * pair[1];
        even[r][half] += even_lanes(products);
        odd[r][half] += odd_lanes(products);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t o = 0; o < kPanel; ++o) {
      const Int4& lanes = o % 2 == 0 ? even[r][o / 8] : odd[r][o / 8];
      sums[r][o] = lanes[o % 8 / 2];
    }
  }
}

void linear(const PackedLinear& matrix, Quantized x, std::size_t rows, LinearOutput mode, float* out) {
  const auto* values = static_cast<const std::int16_t*>(x.values);
  for (std::size_t panel = 0; panel < matrix.rows; panel += kPanel) {
    const std::uint8_t* weights = matrix.weights + panel * matrix.columns;
    for (std::size_t row = 0; row < rows; row += kRowsTogether) {
      const std::size_t block = rows - row < kRowsTogether ? rows - row : kRowsTogether;
      std::int32_t sums[kRowsTogether][kPanel];
      const std::int16_t* from = values + row * matrix.columns;
      if (block == 2) multiply<2>(weights, from, matrix.columns, sums);
      if (block == 1) multiply<1>(weights, from, matrix.columns, sums);
      for (std::size_t r = 0; r < block; ++r) {
        IntLanes lanes;
        __builtin_memcpy(&lanes, sums[r], sizeof lanes);
        finish(lanes, matrix, panel, x.scale[row + r], mode, out + (row + r) * matrix.rows + panel);
      }
    }
  }
}

constexpr Kernel kKernel = {"portable",
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

const Kernel* portable_kernel() {
  return &kKernel;
}

}  // namespace signalbox

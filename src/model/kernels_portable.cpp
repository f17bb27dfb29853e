// The kernel for every processor: what the others are tested against, and what runs where none fits.

#include "model/kernels_float.h"

namespace signalbox {
namespace {

typedef std::int16_t Short8 __attribute__((vector_size(16)));
typedef std::int8_t Byte8 __attribute__((vector_size(8)));
typedef std::int32_t Int4 __attribute__((vector_size(16)));

constexpr std::size_t kPanel = 16;
constexpr std::size_t kGroup = 2;
constexpr std::size_t kRowsTogether = 2;

SIGNALBOX_INLINE Short8 widen(const std::uint8_t* from) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return reinterpret_cast<Short8>(_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8));
#else
  return __builtin_convertvector(load_native<Byte8>(from), Short8);
#endif
}

SIGNALBOX_INLINE Short8 repeat_pair(const std::int16_t* pair) {
  std::int32_t both;
  __builtin_memcpy(&both, pair, sizeof both);
  return reinterpret_cast<Short8>(both - Int4{});
}

// Products of lanes, added up in pairs. One product fits 16 bits, the sum of two just as well.
SIGNALBOX_INLINE Int4 pair_products(Short8 a, Short8 b) {
#if defined(__SSE2__)
  return reinterpret_cast<Int4>(
      _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  const auto products = reinterpret_cast<Int4>(a * b);
  return (products << 16 >> 16) + (products >> 16);
#endif
}

template <std::size_t kRows>
void multiply(const std::uint8_t* weights, const std::int16_t* x, std::size_t columns,
              std::int32_t (*sums)[kPanel]) {
  Int4 total[kRows][4] = {};
  for (std::size_t k = 0; k < columns; k += kGroup) {
    Short8 repeated[kRows];
#pragma GCC unroll 2
    for (std::size_t r = 0; r < kRows; ++r) repeated[r] = repeat_pair(x + r * columns + k);
#pragma GCC unroll 4
    for (std::size_t v = 0; v < 4; ++v) {
      const Short8 w = widen(weights + k * kPanel + v * 8);
#pragma GCC unroll 2
      for (std::size_t r = 0; r < kRows; ++r) total[r][v] += pair_products(w, repeated[r]);
    }
  }
  __builtin_memcpy(sums, total, sizeof total);
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

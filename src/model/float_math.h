// Sixteen floats at a time, with the same bits on every instruction set.
//
// Only for kernels_*.cpp: everything here is compiled once a kernel for that kernel's instruction set,
// hence the unnamed namespace, and hence no std:: function (the linker might keep the AVX-512 copy of
// an inline function and give it to the portable kernel). Lane operations are IEEE, never contracted;
// reductions take one fixed tree whatever the width of a register.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define SIGNALBOX_INLINE [[gnu::always_inline]] inline

namespace signalbox {
namespace {

inline constexpr std::size_t kLanes = 16;
#if defined(__AVX512F__)
inline constexpr std::size_t kNative = 16;
#elif defined(__AVX2__)
inline constexpr std::size_t kNative = 8;
#else
inline constexpr std::size_t kNative = 4;
#endif
inline constexpr std::size_t kParts = kLanes / kNative;

typedef float NativeFloat __attribute__((vector_size(kNative * 4)));
typedef std::int32_t NativeInt __attribute__((vector_size(kNative * 4)));
typedef std::int16_t NativeShort __attribute__((vector_size(kNative * 2)));
typedef std::int8_t NativeByte __attribute__((vector_size(kNative)));
typedef float Float4 __attribute__((vector_size(16)));

struct IntLanes {
  NativeInt part[kParts];
};
struct Lanes {
  NativeFloat part[kParts];
};

template <typename Vector, typename T>
SIGNALBOX_INLINE Vector load_native(const T* from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}

SIGNALBOX_INLINE Lanes load(const float* from) {
  Lanes x;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) x.part[i] = load_native<NativeFloat>(from + i * kNative);
  return x;
}

SIGNALBOX_INLINE void store(float* to, const Lanes& x) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) {
    __builtin_memcpy(to + i * kNative, &x.part[i], sizeof(NativeFloat));
  }
}

SIGNALBOX_INLINE Lanes splat(float value) {
  Lanes x;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) x.part[i] = value - NativeFloat{};  // x - 0 keeps -0 too
  return x;
}

// Applies `f` register by register.
template <typename F>
SIGNALBOX_INLINE Lanes map(const Lanes& a, const Lanes& b, F f) {
  Lanes x;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) x.part[i] = f(a.part[i], b.part[i]);
  return x;
}

SIGNALBOX_INLINE Lanes operator+(const Lanes& a, const Lanes& b) {
  return map(a, b, [](NativeFloat x, NativeFloat y) { return x + y; });
}
SIGNALBOX_INLINE Lanes operator-(const Lanes& a, const Lanes& b) {
  return map(a, b, [](NativeFloat x, NativeFloat y) { return x - y; });
}
SIGNALBOX_INLINE Lanes operator*(const Lanes& a, const Lanes& b) {
  return map(a, b, [](NativeFloat x, NativeFloat y) { return x * y; });
}
SIGNALBOX_INLINE Lanes operator/(const Lanes& a, const Lanes& b) {
  return map(a, b, [](NativeFloat x, NativeFloat y) { return x / y; });
}
SIGNALBOX_INLINE NativeFloat larger_native(NativeFloat x, NativeFloat y) {
#if defined(__AVX512F__)
  return _mm512_maskz_max_ps(0xffff, x, y);
#elif defined(__AVX2__)
  return _mm256_max_ps(x, y);
#else
  return x > y ? x : y;  // what the instructions above do
#endif
}
SIGNALBOX_INLINE Lanes larger(const Lanes& a, const Lanes& b) {
  return map(a, b, [](NativeFloat x, NativeFloat y) { return larger_native(x, y); });
}
SIGNALBOX_INLINE Lanes magnitude(const Lanes& a) {
  return map(a, a, [](NativeFloat x, NativeFloat) {
    return reinterpret_cast<NativeFloat>(reinterpret_cast<NativeInt>(x) & 0x7fffffff);
  });
}

// Folds 16 lanes to 4: (0 + 8) + (4 + 12), and so on.
template <typename F>
SIGNALBOX_INLINE Float4 fold(const Lanes& x, F f) {
  if constexpr (kNative == 4) {
    return f(f(x.part[0], x.part[2 % kParts]), f(x.part[1 % kParts], x.part[3 % kParts]));
  } else if constexpr (kNative == 8) {
    const NativeFloat half = f(x.part[0], x.part[1 % kParts]);
    return f(__builtin_shufflevector(half, half, 0, 1, 2, 3),
             __builtin_shufflevector(half, half, 4 % kNative, 5 % kNative, 6 % kNative, 7 % kNative));
  } else {
    const NativeFloat& all = x.part[0];
    const Float4 a = __builtin_shufflevector(all, all, 0, 1, 2, 3);
    const Float4 b =
        __builtin_shufflevector(all, all, 4 % kNative, 5 % kNative, 6 % kNative, 7 % kNative);
    const Float4 c =
        __builtin_shufflevector(all, all, 8 % kNative, 9 % kNative, 10 % kNative, 11 % kNative);
    const Float4 d =
        __builtin_shufflevector(all, all, 12 % kNative, 13 % kNative, 14 % kNative, 15 % kNative);
    return f(f(a, c), f(b, d));
  }
}

template <typename F>
SIGNALBOX_INLINE float reduce(const Lanes& x, F f) {
  const Float4 four = fold(x, f);
  const Float4 two = f(four, __builtin_shufflevector(four, four, 2, 3, 0, 1));
  const Float4 one = f(two, __builtin_shufflevector(two, two, 1, 0, 3, 2));
  return one[0];
}

SIGNALBOX_INLINE float sum(const Lanes& x) {
  return reduce(x, [](auto a, auto b) { return a + b; });
}
SIGNALBOX_INLINE float largest(const Lanes& x) {
  return reduce(x, [](auto a, auto b) { return a > b ? a : b; });
}

SIGNALBOX_INLINE Lanes to_float(const IntLanes& x) {
  Lanes y;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) y.part[i] = __builtin_convertvector(x.part[i], NativeFloat);
  return y;
}

// The compiler turns a plain conversion between bytes and ints into shuffles, ten times slower than the
// instructions made for it; so these are spelled out where they exist.
SIGNALBOX_INLINE NativeInt widen_bytes(const std::int8_t* from) {
#if defined(__AVX512F__)
  return reinterpret_cast<NativeInt>(_mm512_maskz_cvtepi8_epi32(0xffff, load_native<__m128i>(from)));
#elif defined(__AVX2__)
  return reinterpret_cast<NativeInt>(
      _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#elif defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si32(from);
  const __m128i twice = _mm_unpacklo_epi8(bytes, bytes);
  return reinterpret_cast<NativeInt>(_mm_srai_epi32(_mm_unpacklo_epi16(twice, twice), 24));
#else
  return __builtin_convertvector(load_native<NativeByte>(from), NativeInt);
#endif
}

SIGNALBOX_INLINE Lanes load_bytes(const std::int8_t* from) {
  IntLanes x;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) x.part[i] = widen_bytes(from + i * kNative);
  return to_float(x);
}

// 1.5 · 2^23: adding it leaves the nearest integer, ties to even, in the low bits.
inline constexpr float kRounding = 12582912.0F;
inline constexpr std::int32_t kRoundingBits = 0x4b400000;

SIGNALBOX_INLINE IntLanes rounded(const Lanes& x) {
  IntLanes y;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) {
    y.part[i] = reinterpret_cast<NativeInt>(x.part[i] + kRounding) - kRoundingBits;
  }
  return y;
}

// Store the nearest integers of lanes within ±127.
SIGNALBOX_INLINE void store_rounded(std::int8_t* to, const Lanes& x) {
  const IntLanes y = rounded(x);
#if defined(__AVX512F__)
  const __m128i bytes = _mm512_maskz_cvtepi32_epi8(0xffff, reinterpret_cast<__m512i>(y.part[0]));
  __builtin_memcpy(to, &bytes, sizeof bytes);
#else
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto bytes = __builtin_convertvector(y.part[i], NativeByte);
    __builtin_memcpy(to + i * kNative, &bytes, sizeof bytes);
  }
#endif
}

SIGNALBOX_INLINE void store_rounded(std::int16_t* to, const Lanes& x) {
  const IntLanes y = rounded(x);
#if defined(__AVX2__) && !defined(__AVX512F__)
  const __m256i packed =
      _mm256_packs_epi32(reinterpret_cast<__m256i>(y.part[0]), reinterpret_cast<__m256i>(y.part[1]));
  const __m256i shorts = _mm256_permute4x64_epi64(packed, 0xd8);
  __builtin_memcpy(to, &shorts, sizeof shorts);
#else
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kParts; ++i) {
    const auto shorts = __builtin_convertvector(y.part[i], NativeShort);
    __builtin_memcpy(to + i * kNative, &shorts, sizeof shorts);
  }
#endif
}

// e^x for x <= 0, within 2 units in the last place; below -87 it stays at e^-87.
SIGNALBOX_INLINE NativeFloat exp_native(NativeFloat x) {
  x = x > -87.0F ? x : NativeFloat{} - 87.0F;
  const NativeFloat rounded = x * 1.44269504F + kRounding;
  const NativeFloat n = rounded - kRounding;
  const NativeFloat r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  NativeFloat p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = (p * r) * r + r + 1.0F;
  const NativeInt power = (reinterpret_cast<NativeInt>(rounded) + 127) << 23;
  return p * reinterpret_cast<NativeFloat>(power);
}

SIGNALBOX_INLINE Lanes exp_lanes(const Lanes& x) {
  return map(x, x, [](NativeFloat a, NativeFloat) { return exp_native(a); });
}

}  // namespace
}  // namespace signalbox

#include "model/float_math.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace signalbox {
namespace {

std::array<float, kLanes> numbers(float first, float step) {
  std::array<float, kLanes> list;
  for (std::size_t i = 0; i < kLanes; ++i) list[i] = first + step * static_cast<float>(i);
  return list;
}

TEST(FloatMath, ExpIsWithinTwoUnitsOfTheLastPlace) {
  for (float first = -86.9F; first < -0.02F; first += 0.013F) {
    std::array<float, kLanes> x = numbers(first, 0.001F), y;
    store(y.data(), exp_lanes(load(x.data())));
    for (std::size_t i = 0; i < kLanes; ++i) {
      const double exact = std::exp(static_cast<double>(x[i]));
      EXPECT_NEAR(y[i] / exact, 1.0, 2.4e-7) << x[i];
    }
  }
}

TEST(FloatMath, ExpOfZeroIsOneAndOfVeryLittleIsNearlyNothing) {
  std::array<float, kLanes> y;
  store(y.data(), exp_lanes(splat(0.0F)));
  EXPECT_EQ(y[7], 1.0F);
  store(y.data(), exp_lanes(splat(-1e30F)));
  EXPECT_GT(y[7], 0.0F);
  EXPECT_LT(y[7], 1e-37F);
}

TEST(FloatMath, SumTakesTheDocumentedTree) {
  // Large numbers swallow small ones, so another order gives another result.
  std::array<float, kLanes> x = {1e8F, 1, 2, 3, -1e8F, 4, 5, 6, 7, 8, 9, 1e8F, 10, 11, 12, -1e8F};
  std::array<float, kLanes> tree = x;
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) tree[i] += tree[i + width];
  }
  EXPECT_EQ(sum(load(x.data())), tree[0]);
}

TEST(FloatMath, LargestFindsTheMaximumInEveryLane) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::array<float, kLanes> x = numbers(-20.0F, 0.5F);
    x[lane] = 3.0F;
    EXPECT_EQ(largest(load(x.data())), 3.0F);
  }
}

TEST(FloatMath, RoundingTakesTiesToEven) {
  const std::array<float, kLanes> x = {0.5F,    1.5F,  2.5F,   -0.5F, -1.5F, -2.5F,  126.5F, 127.0F,
                                       -127.0F, 0.49F, -0.49F, 3.0F,  3.51F, -3.51F, 100.5F, -100.5F};
  const std::array<int, kLanes> expected = {0,    2, 2, 0, -2, -2, 126, 127,
                                            -127, 0, 0, 3, 4,  -4, 100, -100};
  std::array<std::int8_t, kLanes> bytes;
  std::array<std::int16_t, kLanes> shorts;
  store_rounded(bytes.data(), load(x.data()));
  store_rounded(shorts.data(), load(x.data()));
  for (std::size_t i = 0; i < kLanes; ++i) {
    EXPECT_EQ(bytes[i], expected[i]) << x[i];
    EXPECT_EQ(shorts[i], expected[i]) << x[i];
  }
}

TEST(FloatMath, BytesAreReadWithTheirSign) {
  std::array<std::int8_t, kLanes> bytes = {-128, -127, -1, 0, 1, 2, 3, 127, 9, 8, 7, 6, 5, 4, -3, -2};
  std::array<float, kLanes> y;
  store(y.data(), load_bytes(bytes.data()));
  for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(y[i], static_cast<float>(bytes[i]));
}

}  // namespace
}  // namespace signalbox

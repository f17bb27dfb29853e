#include "model/calibration_math.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace signalbox {
namespace {

constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kLimit = 700.0;
constexpr double kNegligible = -40.0;

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

}  // namespace

double exact_exp(double x) {
  x = std::clamp(x, -kLimit, kLimit);
  const double scaled = x * 1.44269504088896338700;
  const int k = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  // Taylor's series to the 13th power, in three strands that the processor can work on side by side.
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double low = (1.0 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
  const double middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
  const double high = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
  const double rest = 1.0 / 479001600 + r * (1.0 / 6227020800);
  const double sum = low + r4 * (middle + r4 * (high + r4 * rest));
  return sum * power_of_two(k);
}

double exact_log(double x) {
  if (!(x > 0)) return -kLimit;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52U) - 1023;
  if (exponent == -1023) return -kLimit;  // subnormal: nothing here tells it from zero
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFULL) | (1023ULL << 52U));
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++exponent;
  }
  const double t = (m - 1.0) / (m + 1.0);
  const double t2 = t * t;
  double sum = 0.0;
  for (int n = 23; n >= 1; n -= 2) sum = 1.0 / n + t2 * sum;
  return exponent * kLn2High + (exponent * kLn2Low + 2.0 * t * sum);
}

double logistic(double x) {
  return 1.0 / (1.0 + exact_exp(-x));
}

double log_odds(double p) {
  p = std::clamp(p, 1e-6, 1.0 - 1e-6);
  return exact_log(p / (1.0 - p));
}

double softmax(std::span<double> scores) {
  if (scores.empty()) return 0.0;
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (double& score : scores) {
    score = score - top < kNegligible ? 0.0 : exact_exp(score - top);
    sum += score;
  }
  for (double& score : scores) score /= sum;
  return top + exact_log(sum);
}

}  // namespace signalbox

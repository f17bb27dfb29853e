#include "model/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "test/fakes/random_encoder.h"

namespace signalbox {
namespace {

// Memory at a multiple of 64, as the kernels are promised.
template <typename T>
class Aligned {
 public:
  explicit Aligned(std::size_t size) : memory_(size * sizeof(T) + 64), size_(size) {}
  T* data() {
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.data());
    return reinterpret_cast<T*>((at + 63) / 64 * 64);
  }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::byte> memory_;
  std::size_t size_;
};

std::vector<float> random_floats(std::size_t size, std::uint32_t seed, float deviation = 1.0F) {
  std::mt19937 random(seed);
  std::normal_distribution<float> value(0.0F, deviation);
  std::vector<float> list(size);
  for (float& f : list) f = value(random);
  return list;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// A matrix with weights at both ends of the range, where sums of 16 bits would saturate.
struct Matrix {
  Matrix(std::uint32_t rows, std::uint32_t columns, std::uint32_t seed)
      : weights(std::size_t{rows} * columns),
        scale(random_floats(rows, seed, 0.01F)),
        bias(random_floats(rows, seed + 1)),
        tensors{rows, columns, weights.data(), scale.data(), bias.data()} {
    std::mt19937 random(seed);
    for (std::int8_t& w : weights) {
      const auto kind = random() % 4;
      w = static_cast<std::int8_t>(kind == 0   ? 127
                                   : kind == 1 ? -128
                                               : static_cast<int>(random() % 256) - 128);
    }
  }
  std::vector<std::int8_t> weights;
  std::vector<float> scale, bias;
  LinearTensors tensors;
};

std::vector<float> run_linear(const Kernel& kernel, const Matrix& matrix, const std::vector<float>& x,
                              std::size_t rows, LinearOutput mode) {
  const std::size_t columns = matrix.tensors.columns;
  Aligned<std::uint8_t> packed(matrix.weights.size());
  pack_linear(kernel, matrix.tensors, packed.data());
  Aligned<std::byte> values(rows * columns * kernel.value_bytes);
  std::vector<float> scales(rows);
  const Quantized quantized{values.data(), scales.data()};
  kernel.quantize(x.data(), rows, columns, quantized);
  std::vector<float> out(rows * matrix.tensors.rows, 0.25F);
  kernel.linear({packed.data(), matrix.scale.data(), matrix.bias.data(), matrix.tensors.rows, columns},
                quantized, rows, mode, out.data());
  return out;
}

// The definition, one product after the other.
std::vector<float> plain_linear(const Matrix& matrix, const std::vector<float>& x, std::size_t rows,
                                LinearOutput mode) {
  const std::size_t columns = matrix.tensors.columns;
  std::vector<float> out(rows * matrix.tensors.rows, 0.25F);
  for (std::size_t r = 0; r < rows; ++r) {
    float absmax = 0;
    for (std::size_t k = 0; k < columns; ++k) absmax = std::max(absmax, std::fabs(x[r * columns + k]));
    for (std::size_t o = 0; o < matrix.tensors.rows; ++o) {
      std::int32_t dot = 0;
      for (std::size_t k = 0; k < columns && absmax > 0; ++k) {
        const float inverse = 127.0F / absmax;
        dot += matrix.weights[o * columns + k] *
               static_cast<int>(std::nearbyint(x[r * columns + k] * inverse));
      }
      const float scale = matrix.scale[o] * (absmax / 127.0F);
      const float product = static_cast<float>(dot) * scale;
      float y = product + matrix.bias[o];
      float& to = out[r * matrix.tensors.rows + o];
      if (mode == LinearOutput::StoreRelu) y = y > 0 ? y : 0;
      to = mode == LinearOutput::Add ? to + y : y;
    }
  }
  return out;
}

class KernelTest : public testing::TestWithParam<const Kernel*> {
 protected:
  const Kernel& kernel() const { return *GetParam(); }
  const Kernel& portable() const { return *portable_kernel(); }
};

TEST_P(KernelTest, LinearLayersAreExactForEveryNumberOfRows) {
  const Matrix matrix(128, 192, 5);
  for (std::size_t rows = 1; rows <= 48; ++rows) {
    const std::vector<float> x = random_floats(rows * 192, static_cast<std::uint32_t>(rows));
    for (const auto mode : {LinearOutput::Store, LinearOutput::StoreRelu, LinearOutput::Add}) {
      const std::vector<float> got = run_linear(kernel(), matrix, x, rows, mode);
      ASSERT_TRUE(same_bits(got, plain_linear(matrix, x, rows, mode))) << rows << " rows";
    }
  }
}

TEST_P(KernelTest, TheLargestSumsDoNotSaturate) {
  Matrix matrix(64, 2048, 1);
  std::vector<float> x(2048, 1.0F);  // becomes 127 everywhere
  for (const int weight : {127, -128}) {
    std::fill(matrix.weights.begin(), matrix.weights.end(), static_cast<std::int8_t>(weight));
    EXPECT_TRUE(same_bits(run_linear(kernel(), matrix, x, 1, LinearOutput::Store),
                          plain_linear(matrix, x, 1, LinearOutput::Store)));
  }
}

TEST_P(KernelTest, ARowOfZerosQuantizesToScaleZero) {
  const Matrix matrix(64, 64, 9);
  std::vector<float> x = random_floats(128, 2);
  std::fill(x.begin(), x.begin() + 64, 0.0F);
  const std::vector<float> out = run_linear(kernel(), matrix, x, 2, LinearOutput::Store);
  for (std::size_t o = 0; o < 64; ++o) EXPECT_EQ(out[o], matrix.bias[o]);
}

TEST_P(KernelTest, NormsGiveThePortableBits) {
  const std::vector<float> gain = random_floats(320, 1), bias = random_floats(320, 2);
  const NormTensors tensors{gain.data(), bias.data()};
  const std::vector<float> x = random_floats(5 * 320, 3);
  std::vector<float> mine(x.size()), theirs(x.size());
  kernel().norm(x.data(), 5, 320, tensors, mine.data());
  portable().norm(x.data(), 5, 320, tensors, theirs.data());
  EXPECT_TRUE(same_bits(mine, theirs));
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < 320; ++i) {
    const double plain = (mine[i] - bias[i]) / gain[i];
    mean += plain / 320;
    square += plain * plain / 320;
  }
  EXPECT_NEAR(mean, 0.0, 1e-5);
  EXPECT_NEAR(square, 1.0, 1e-4);
}

TEST_P(KernelTest, AttentionGivesThePortableBitsForEveryNumberOfWords) {
  for (std::size_t rows = 1; rows <= 48; ++rows) {
    const std::vector<float> qkv =
        random_floats(rows * 3 * 128, static_cast<std::uint32_t>(rows), 2.0F);
    std::vector<float> mine(rows * 128), theirs(rows * 128);
    kernel().attend(qkv.data(), rows, 128, 2, mine.data());
    portable().attend(qkv.data(), rows, 128, 2, theirs.data());
    ASSERT_TRUE(same_bits(mine, theirs)) << rows << " words";
  }
}

TEST_P(KernelTest, AttentionIsTheSoftmaxWeightedMeanOfTheValues) {
  constexpr std::size_t kRows = 19, kDim = 64, kHead = 32;
  const std::vector<float> qkv = random_floats(kRows * 3 * kDim, 4);
  std::vector<float> out(kRows * kDim);
  kernel().attend(qkv.data(), kRows, kDim, 2, out.data());
  for (const std::size_t i : {0U, 7U, 18U}) {
    for (const std::size_t head : {0U, 1U}) {
      std::vector<double> weight(kRows);
      double total = 0;
      for (std::size_t j = 0; j < kRows; ++j) {
        double dot = 0;
        for (std::size_t d = head * kHead; d < (head + 1) * kHead; ++d) {
          dot += double{qkv[i * 3 * kDim + d]} * qkv[j * 3 * kDim + kDim + d];
        }
        total += weight[j] = std::exp(dot / std::sqrt(double{kHead}));
      }
      for (std::size_t d = head * kHead; d < (head + 1) * kHead; ++d) {
        double mean = 0;
        for (std::size_t j = 0; j < kRows; ++j)
          mean += weight[j] / total * qkv[j * 3 * kDim + 2 * kDim + d];
        EXPECT_NEAR(out[i * kDim + d], mean, 1e-5);
      }
    }
  }
}

TEST_P(KernelTest, PoolingAndUnitLengthGiveThePortableBits) {
  const std::vector<float> query = random_floats(128, 8);
  for (const std::size_t rows : {1U, 2U, 16U, 17U, 48U}) {
    const std::vector<float> x = random_floats(rows * 128, 9);
    std::vector<float> mine(128), theirs(128);
    kernel().pool(x.data(), rows, 128, query.data(), mine.data());
    portable().pool(x.data(), rows, 128, query.data(), theirs.data());
    ASSERT_TRUE(same_bits(mine, theirs)) << rows << " words";
    kernel().normalize(mine.data(), mine.size());
    portable().normalize(theirs.data(), theirs.size());
    ASSERT_TRUE(same_bits(mine, theirs));
    double length = 0;
    for (const float f : mine) length += double{f} * f;
    EXPECT_NEAR(length, 1.0, 1e-6);
  }
}

TEST_P(KernelTest, GatheredEmbeddingsAreTheScaledSum) {
  RandomEncoderFile file;
  const auto tensors = read_encoder(file.bytes());
  ASSERT_TRUE(tensors);
  const std::vector<std::uint32_t> buckets = {3, 996, 0, 3, 500};
  std::vector<float> out(64);
  kernel().gather(*tensors, buckets.data(), buckets.size(), tensors->positions, out.data());
  for (std::size_t d = 0; d < 64; ++d) {
    double total = 0;
    for (const std::uint32_t b : buckets) {
      total += double{tensors->embedding_scale[b]} * tensors->embeddings[b * 64 + d];
    }
    EXPECT_NEAR(out[d], total / std::sqrt(5.0) + tensors->positions[d], 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelTest, testing::ValuesIn(kernels()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Kernels, TheFastestComesFirstAndThePortableLast) {
  EXPECT_EQ(find_kernel(""), kernels().front());
  EXPECT_STREQ(kernels().back()->name, "portable");
  EXPECT_EQ(find_kernel("abacus"), nullptr);
}

}  // namespace
}  // namespace signalbox

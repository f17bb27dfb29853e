#include "model/head.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/head_kernels.h"

namespace signalbox {
namespace {

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<double>(state >> 11U) / 9007199254740992.0 - 0.5;
}

SvmSolution random_solution(std::size_t features, std::size_t dense, std::size_t stride) {
  std::uint64_t state = 11;
  SvmSolution solution;
  solution.stride = stride;
  for (std::size_t i = 0; i < features * stride; ++i)
    solution.sparse.push_back(static_cast<float>(draw(state)));
  for (std::size_t i = 0; i < dense * stride; ++i)
    solution.dense.push_back(static_cast<float>(draw(state)));
  for (std::size_t i = 0; i < stride; ++i) solution.bias.push_back(static_cast<float>(draw(state)));
  return solution;
}

TEST(Head, BytesStayCloseToTheFloatsTheyCameFrom) {
  constexpr std::size_t kClasses = 37;
  constexpr std::size_t kDense = 10;
  const SvmSolution solution = random_solution(50, kDense, 48);
  std::vector<std::uint32_t> order;
  for (std::uint32_t f = 0; f < 50; ++f) order.push_back(f);
  const Head head(quantise_head(solution, kClasses, kDense, order));
  const std::vector<NgramValue> row = {{3, 0.6F}, {17, 0.5F}, {49, 0.62F}};
  std::vector<float> vector;
  std::uint64_t state = 4;
  for (std::size_t d = 0; d < kDense; ++d) vector.push_back(static_cast<float>(draw(state)));
  std::vector<float> scores(kClasses);
  head.score_ngrams(row, scores);
  head.add_dense(vector, scores);
  for (std::size_t c = 0; c < kClasses; ++c) {
    double exact = static_cast<double>(solution.bias[c]);
    for (const NgramValue& entry : row)
      exact += static_cast<double>(entry.value * solution.sparse[entry.index * 48 + c]);
    for (std::size_t d = 0; d < kDense; ++d)
      exact += static_cast<double>(vector[d] * solution.dense[d * 48 + c]);
    EXPECT_NEAR(static_cast<double>(scores[c]), exact, 0.006) << c;
  }
}

TEST(Head, NgramsWithoutWeightsAreIgnored) {
  const SvmSolution solution = random_solution(8, 0, 16);
  const std::vector<std::uint32_t> order = {5, 2};
  const Head head(quantise_head(solution, 16, 0, order));
  std::vector<float> with(16);
  std::vector<float> without(16);
  head.score_ngrams(std::vector<NgramValue>{{0, 0.5F}, {7, 0.9F}}, with);
  head.score_ngrams(std::vector<NgramValue>{{0, 0.5F}}, without);
  EXPECT_EQ(with, without);
  EXPECT_NEAR(with[3], solution.bias[3] + 0.5F * solution.sparse[5 * 16 + 3], 0.005F);
}

TEST(Head, CopiesAnswerTheSame) {
  const SvmSolution solution = random_solution(8, 5, 16);
  const std::vector<std::uint32_t> order = {0, 1, 2};
  std::vector<Head> heads;
  for (int i = 0; i < 5; ++i) heads.emplace_back(quantise_head(solution, 9, 5, order));
  std::vector<Head> copies = heads;
  const std::vector<float> vector(5, 0.25F);
  std::vector<float> a(9);
  std::vector<float> b(9);
  heads.front().add_dense(vector, a);
  copies.back().add_dense(vector, b);
  EXPECT_EQ(a, b);
}

class HeadKernelTest : public ::testing::TestWithParam<const char*> {};

TEST_P(HeadKernelTest, GivesTheSameBitsAsThePortableOne) {
  const HeadKernels* kernels = head_kernels(GetParam());
  if (kernels == nullptr) GTEST_SKIP() << "this processor has no " << GetParam();
  const HeadKernels& plain = *head_kernels("portable");
  std::uint64_t state = 21;
  constexpr std::size_t kDense = 387;
  std::vector<LaneGroup<float>> weights(kDense);
  std::vector<float> values;
  for (auto& group : weights) {
    for (float& lane : group.lane) lane = static_cast<float>(draw(state));
    values.push_back(static_cast<float>(draw(state)));
  }
  LaneGroup<float> a;
  LaneGroup<float> b;
  plain.dense(values.data(), kDense, weights.front().lane, a.lane);
  kernels->dense(values.data(), kDense, weights.front().lane, b.lane);
  for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(a.lane[i], b.lane[i]);

  std::vector<LaneGroup<std::int8_t>> bytes(3);
  for (auto& group : bytes) {
    for (std::int8_t& lane : group.lane) lane = static_cast<std::int8_t>(draw(state) * 254);
  }
  std::vector<LaneGroup<std::int32_t>> sums(3);
  std::vector<LaneGroup<std::int32_t>> others(3);
  for (const std::int32_t factor : {1, -32000, 32000, 777}) {
    plain.add_bytes(bytes.front().lane, 3, factor, sums.front().lane);
    kernels->add_bytes(bytes.front().lane, 3, factor, others.front().lane);
  }
  for (std::size_t g = 0; g < 3; ++g) {
    for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(sums[g].lane[i], others[g].lane[i]);
  }
}

TEST_P(HeadKernelTest, SweepsToTheSameBitsAsThePortableOne) {
  const HeadKernels* kernels = head_kernels(GetParam());
  if (kernels == nullptr) GTEST_SKIP() << "this processor has no " << GetParam();
  constexpr std::size_t kRows = 30;
  std::uint64_t state = 8;
  std::vector<std::uint32_t> begin = {0};
  std::vector<std::uint32_t> index;
  std::vector<float> value;
  std::vector<float> dense;
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    index.insert(index.end(), {row % 7, 7 + row % 5});
    value.insert(value.end(), {static_cast<float>(draw(state)), 0.7F});
    begin.push_back(static_cast<std::uint32_t>(index.size()));
    for (int d = 0; d < 6; ++d) dense.push_back(static_cast<float>(draw(state)));
    order.push_back(row);
  }
  const SvmMatrix matrix{begin.data(), index.data(), value.data(), dense.data(), 6};
  const auto run = [&](const HeadKernels& kernel) {
    std::vector<LaneGroup<float>> sparse(12), wide(6), bias(1), sign(kRows), slack(kRows), alpha(kRows);
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sign[row].lane[lane] = row % kLanes == lane ? 1.0F : -1.0F;
        slack[row].lane[lane] = 1.0F;
      }
    }
    const std::vector<float> norm(kRows, 2.0F);
    std::vector<std::uint8_t> rest(kRows), calm(kRows);
    const SvmSweep sweep{
        order.data(),       kRows,       norm.data(), sign.front().lane, slack.front().lane,
        alpha.front().lane, rest.data(), calm.data()};
    for (int n = 0; n < 5; ++n) {
      kernel.sweep(matrix, {sparse.front().lane, wide.front().lane, bias.front().lane}, sweep);
    }
    std::vector<float> all;
    for (const auto* part : {&sparse, &wide, &bias, &alpha}) {
      for (const auto& group : *part) all.insert(all.end(), group.lane, group.lane + kLanes);
    }
    return all;
  };
  const std::vector<float> expected = run(*head_kernels("portable"));
  EXPECT_EQ(run(*kernels), expected);
  EXPECT_GT(*std::max_element(expected.begin(), expected.end()), 0.1F);
}

INSTANTIATE_TEST_SUITE_P(All, HeadKernelTest, ::testing::Values("avx2", "avx512vnni"));

}  // namespace
}  // namespace signalbox

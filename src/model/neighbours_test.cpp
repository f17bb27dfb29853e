#include "model/neighbours.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace signalbox {
namespace {

constexpr std::size_t kDense = 70;  // no multiple of what kernels take at once

std::vector<float> unit_vector(std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> v(kDense);
  float length = 0;
  for (float& x : v) {
    x = normal(random);
    length += x * x;
  }
  for (float& x : v) x /= std::sqrt(length);
  return v;
}

// Routes of the given sizes, one after the other; `rows` gets their vectors.
NeighbourParts random_parts(std::span<const std::size_t> sizes, std::vector<std::vector<float>>& rows) {
  std::mt19937 random(3);
  NeighbourParts parts;
  parts.dense = kDense;
  parts.weight = 1;
  parts.begin = {0};
  for (const std::size_t size : sizes) {
    for (std::size_t i = 0; i < size; ++i) {
      rows.push_back(unit_vector(random));
      parts.add(rows.back());
    }
    parts.begin.push_back(static_cast<std::uint32_t>(parts.scale.size()));
  }
  return parts;
}

TEST(NeighboursTest, ARowSpeaksForItsOwnRoute) {
  const std::array<std::size_t, 3> sizes = {40, 1, 33};
  std::vector<std::vector<float>> rows;
  const Neighbours neighbours(random_parts(sizes, rows));
  std::size_t row = 0;
  for (std::size_t route = 0; route < sizes.size(); ++route) {
    for (std::size_t i = 0; i < sizes[route]; ++i, ++row) {
      std::vector<float> scores(sizes.size());
      neighbours.add_votes(rows[row], scores);
      EXPECT_GT(scores[route], 0.9F) << row;
      EXPECT_NEAR(scores[0] + scores[1] + scores[2], 1.0F, 1e-5F);
    }
  }
}

TEST(NeighboursTest, TheWeightIsWhatAllVotesAdd) {
  const std::array<std::size_t, 2> sizes = {5, 5};
  std::vector<std::vector<float>> rows;
  NeighbourParts parts = random_parts(sizes, rows);
  parts.weight = 0.25F;
  const Neighbours neighbours(std::move(parts));
  std::vector<float> scores = {-1, 2};
  neighbours.add_votes(rows.front(), scores);
  EXPECT_NEAR(scores[0] + scores[1], 1.25F, 1e-5F);
}

TEST(NeighboursTest, ARowOfTheHeldFoldIsNotHeard) {
  const std::array<std::size_t, 2> sizes = {1, 3};
  std::vector<std::vector<float>> rows;
  const Neighbours neighbours(random_parts(sizes, rows));
  const std::vector<int> folds = {4, 0, 0, 0};
  std::vector<float> scores(2);
  const Neighbours::Held held{folds, 4};
  neighbours.add_votes(rows.front(), scores, &held);
  EXPECT_EQ(scores[0], 0);
  EXPECT_NEAR(scores[1], 1.0F, 1e-5F);
}

TEST(NeighboursTest, OnlyTheLikeliestRoutesAreAsked) {
  const std::vector<std::size_t> sizes(Neighbours::kCandidates + 1, 2);
  std::vector<std::vector<float>> rows;
  const Neighbours neighbours(random_parts(sizes, rows));
  std::vector<float> scores(sizes.size());
  scores.front() = -0.5F;
  neighbours.add_votes(rows.front(), scores);
  EXPECT_EQ(scores.front(), -0.5F) << "the nearest row is of the route that stood last";
}

TEST(NeighboursTest, ARouteThatNobodyCanReachHasAllVotes) {
  const std::array<std::size_t, 3> sizes = {4, 4, 4};
  std::vector<std::vector<float>> rows;
  NeighbourParts parts = random_parts(sizes, rows);
  parts.weight = 0.25F;
  const Neighbours neighbours(std::move(parts));
  std::vector<float> scores = {-1, 0.5F, 0.125F};
  neighbours.add_votes(rows.front(), scores);
  EXPECT_EQ(scores, (std::vector<float>{-1, 0.75F, 0.125F}));
}

TEST(NeighboursTest, NoMoreThanTwentyAreHeard) {
  const std::array<std::size_t, 2> sizes = {30, 40};
  std::vector<std::vector<float>> rows;
  NeighbourParts parts = random_parts(sizes, rows);
  for (std::size_t row = 1; row < 30; ++row) {  // copies of the first: all as near
    std::copy_n(parts.values.begin(), kDense,
                parts.values.begin() + static_cast<std::ptrdiff_t>(row * kDense));
    parts.scale[row] = parts.scale[0];
  }
  const Neighbours neighbours(std::move(parts));
  std::vector<float> scores(2);
  neighbours.add_votes(rows.front(), scores);
  EXPECT_NEAR(scores[0], 1.0F, 1e-5F);
  EXPECT_EQ(scores[1], 0);
}

TEST(NeighboursTest, EveryKernelGivesTheSameBits) {
  const std::array<std::size_t, 4> sizes = {50, 3, 33, 20};
  std::vector<std::vector<float>> rows;
  const NeighbourParts parts = random_parts(sizes, rows);
  std::mt19937 random(5);
  std::vector<std::vector<float>> first;
  for (const Kernel* kernel : kernels()) {
    const Neighbours neighbours(parts, *kernel);
    random.seed(5);
    std::vector<std::vector<float>> said;
    for (int i = 0; i < 50; ++i) {
      std::vector<float> scores(sizes.size());
      neighbours.add_votes(unit_vector(random), scores);
      said.push_back(std::move(scores));
    }
    if (first.empty()) first = said;
    EXPECT_EQ(said, first) << kernel->name;
  }
}

TEST(NeighboursTest, WithoutRowsNothingIsSaid) {
  std::vector<float> scores = {0.5F, 0.25F};
  Neighbours().add_votes(std::vector<float>(kDense), scores);
  EXPECT_EQ(scores, (std::vector<float>{0.5F, 0.25F}));
}

}  // namespace
}  // namespace signalbox

#include "retrieve/fusion.h"

#include <gtest/gtest.h>

#include <map>

namespace signalbox {
namespace {

struct Scored {
  char passage = 0;
  float score = 0;
};

std::map<char, float> fuse(const std::vector<Scored>& words, const std::vector<Scored>& meaning,
                           float share) {
  std::map<char, float> sums;
  fuse_lists(words, meaning, share, std::max(words.size(), meaning.size()),
             [&](const Scored& one, float part) { sums[one.passage] += part; });
  return sums;
}

TEST(FusionTest, AListByMeaningInWhichOneStandsOutTurnsATie) {
  const auto fused =
      fuse({{'a', 10}, {'b', 9.5}, {'c', 2}}, {{'b', 0.9F}, {'c', 0.5F}, {'a', 0.5F}}, 0.3F);
  EXPECT_GT(fused.at('b'), fused.at('a'));
  EXPECT_GT(fused.at('a'), fused.at('c'));
}

TEST(FusionTest, AListByMeaningThatHardlyDiffersLeavesTheOrderToTheWords) {
  const auto fused =
      fuse({{'a', 10}, {'b', 9.5}, {'c', 2}}, {{'b', 0.802F}, {'c', 0.801F}, {'a', 0.8F}}, 0.3F);
  EXPECT_GT(fused.at('a'), fused.at('b'));
}

TEST(FusionTest, WithoutWordsMeaningDecides) {
  const auto fused = fuse({}, {{'b', 0.8F}, {'a', 0.6F}, {'c', 0.1F}}, 0.3F);
  EXPECT_GT(fused.at('b'), fused.at('a'));
  EXPECT_FLOAT_EQ(fused.at('b'), 1);
  EXPECT_FLOAT_EQ(fused.at('c'), 0);
}

TEST(FusionTest, TheBestOfBothListsIsOne) {
  EXPECT_FLOAT_EQ(fuse({{'a', 7}, {'b', 1}}, {{'a', 0.9F}, {'b', 0.2F}}, 1.5F).at('a'), 1);
  EXPECT_TRUE(fuse({}, {}, 1).empty());
}

}  // namespace
}  // namespace signalbox

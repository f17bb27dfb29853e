#include "model/ngram.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace signalbox {
namespace {

std::vector<NgramKey> keys(std::string_view text) {
  std::vector<NgramKey> out;
  extract_ngrams(text, out);
  return out;
}

std::size_t shared_keys(std::string_view a, std::string_view b) {
  const auto left = keys(a);
  const auto right = keys(b);
  const std::set<NgramKey> known(left.begin(), left.end());
  std::set<NgramKey> both;
  for (const NgramKey key : right) {
    if (known.contains(key)) both.insert(key);
  }
  return both.size();
}

TEST(Ngram, CaseWidthAndLigaturesDoNotMatter) {
  EXPECT_EQ(keys("Open MY file"), keys("open my file"));
  EXPECT_EQ(keys("\xEF\xBC\xAFpen \xEF\xAC\x81le"), keys("open file"));  // full-width O, ligature fi
  EXPECT_EQ(keys("what\xE2\x80\x99s up"), keys("what's up"));
}

TEST(Ngram, CountsOfOneWordAreWhatTheLengthSays) {
  // " ab ": runs of 2: 3, of 3: 2, of 4: 1; and the word.
  EXPECT_EQ(keys("ab").size(), 7U);
  // Two words add their pair.
  EXPECT_EQ(keys("ab ab").size(), 15U);
}

TEST(Ngram, PunctuationLeavesTheRunsOfAWordAlone) {
  EXPECT_GE(shared_keys("balance", "balance?"), keys("balance").size() - 2);
}

TEST(Ngram, WordOrderIsSeenByPairs) {
  const auto one = keys("turn lights on");
  const auto other = keys("on turn lights");
  EXPECT_NE(std::multiset<NgramKey>(one.begin(), one.end()),
            std::multiset<NgramKey>(other.begin(), other.end()));
}

TEST(Ngram, ChineseSharesCharactersWithoutSpaces) {
  EXPECT_GE(shared_keys("打开文件", "请打开这个文件"), 6U);
  EXPECT_EQ(shared_keys("打开文件", "今天天气"), 0U);
}

TEST(Ngram, TypoKeepsMostOfAWord) {
  EXPECT_GE(shared_keys("invoice", "invioce"), 6U);
}

TEST(Ngram, EmptyAndBrokenTextIsHarmless) {
  EXPECT_TRUE(keys("").empty());
  EXPECT_TRUE(keys(" \t\n").empty());
  EXPECT_FALSE(keys("\xFF\xFE broken \xC3").empty());
}

TEST(Ngram, LongTextIsBoundedAndKeepsItsEnds) {
  std::string text = "alphastart ";
  while (text.size() < 100000) text += "filler words here ";
  text += "omegaend";
  EXPECT_LT(keys(text).size(), 40000U);
  EXPECT_GT(shared_keys(text, "alphastart"), 20U);
  EXPECT_GT(shared_keys(text, "omegaend"), 20U);
}

TEST(Ngram, BothKindsAreTold) {
  std::size_t words = 0;
  for (const NgramKey key : keys("one two three")) words += is_word_key(key) ? 1 : 0;
  EXPECT_EQ(words, 5U);
}

TEST(Ngram, TermWeightGrowsSlowly) {
  EXPECT_FLOAT_EQ(term_weight(1), 1.0F);
  EXPECT_NEAR(term_weight(8), 3.0794415F, 1e-6F);
  EXPECT_EQ(term_weight(100), term_weight(16));
}

}  // namespace
}  // namespace signalbox

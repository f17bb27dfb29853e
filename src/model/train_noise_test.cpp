#include "model/train_noise.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

std::size_t words(const std::string& text) {
  return text.empty() ? 0 : static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

TEST(Disturbed, LeavesOutAWordOfLongerText) {
  const std::string text = "where can i find my last invoice please";
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const std::string copy = disturbed(text, seed, 6);
    EXPECT_LT(words(copy), words(text));
    EXPECT_GE(words(copy), 3U);
  }
}

TEST(Disturbed, LeavesOutACharacterOfShortTextAndKeepsUtf8Whole) {
  EXPECT_EQ(disturbed("hello", 1, 6).size(), 4U);
  const std::string copy = disturbed("打开客厅的灯", 3, 6);
  EXPECT_EQ(copy.size() % 3, 0U);
  EXPECT_LT(copy.size(), 18U);
  EXPECT_GE(copy.size(), 3U);
}

TEST(Disturbed, IsTheSameForTheSameSeed) {
  EXPECT_EQ(disturbed("turn on all the lights", 5, 6), disturbed("turn on all the lights", 5, 6));
  EXPECT_EQ(disturbed("", 1, 6), "");
  EXPECT_EQ(disturbed("ok", 1, 6), "ok");
}

TEST(Disturbed, CopiesStayInTheirRowsFold) {
  TrainSet set;
  set.routes = {"a", "b"};
  set.folds = 5;
  set.examples.push_back({"turn on all the lights", {1}, ExampleUse::Learn, 3});
  set.examples.push_back({"nothing to do with it", {2}, ExampleUse::Generic, 2});
  add_disturbed(set, 1);
  ASSERT_EQ(set.examples.size(), 3U);
  EXPECT_EQ(set.examples[2].fold, 3);
  EXPECT_EQ(set.examples[2].labels, set.examples[0].labels);
  EXPECT_EQ(set.examples[2].use, ExampleUse::Disturbed);
}

TEST(Disturbed, TornCopiesAreForRoutesWithManyRowsAndLackMoreWords) {
  TrainSet set;
  set.routes = {"a", "b"};
  set.folds = 5;
  const std::string text = "where can i find my last invoice please and how do i pay it";
  for (int i = 0; i < 2001; ++i) set.examples.push_back({text, {0}, ExampleUse::Learn, i % 5});
  add_disturbed(set, 1);
  ASSERT_EQ(set.examples.size(), 3 * 2001U);
  EXPECT_EQ(set.examples.back().use, ExampleUse::Torn);
  EXPECT_EQ(set.examples.back().fold, set.examples[2000].fold);
  std::size_t mild = 0;
  std::size_t torn = 0;
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    mild += words(disturbed(text, seed, 6));
    torn += words(disturbed(text, seed, 3));
  }
  EXPECT_LT(torn, mild);
}

}  // namespace
}  // namespace signalbox

#include "retrieve/nearness.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

float nearness(std::string_view question, std::string_view passage, float rarity = 1) {
  std::vector<Term> terms;
  append_terms(question, terms);
  return Nearness(terms, std::vector<float>(terms.size(), rarity)).of(passage);
}

TEST(NearnessTest, NeighboursOfTheQuestionCountWhereTheyAreNeighbours) {
  const float together = nearness("flat plate", "flow along a flat plate");
  EXPECT_GT(together, 0);
  EXPECT_EQ(nearness("flat plate", "a plate under a flat surface"), 0);
  EXPECT_EQ(nearness("flat plate", "plate flat"), 0);
  EXPECT_GT(nearness("flat plate", "a flat plate beside flat plates"), together);
}

TEST(NearnessTest, WordsThatAreRareOrUnknownToTheIndexWeighWhatTheyShould) {
  EXPECT_GT(nearness("flat plate", "a flat plate", 3), nearness("flat plate", "a flat plate", 1));
  std::vector<Term> terms;
  append_terms("flat plate", terms);
  EXPECT_TRUE(Nearness(terms, std::vector<float>{0, 4}).is_empty());
}

TEST(NearnessTest, AQuestionWithoutNeighboursHasNone) {
  EXPECT_EQ(nearness("plate", "a plate"), 0);
  EXPECT_EQ(nearness("plate plate", "a plate plate"), 0);
  EXPECT_EQ(nearness("", "a plate"), 0);
  EXPECT_EQ(nearness("flat plate", ""), 0);
}

TEST(NearnessTest, ChineseIsReadByItsPairs) {
  EXPECT_GT(nearness("边界层", "平板的边界层"), nearness("边界层", "边界上的一层"));
}

}  // namespace
}  // namespace signalbox

#include "retrieve/index_retriever.h"

#include <gtest/gtest.h>

#include "test/fakes/test_folder.h"

namespace signalbox {
namespace {

TEST(IndexRetrieverTest, AScoreSaysHowMuchOfTheQuestionIsCovered) {
  TestFolder folder;
  folder.write("refunds.md", "Refunds are paid within five days.\n");
  folder.write("limits.md", "The limit of a loop is its last value.\n");
  folder.write("days.md", "There are seven days in a week.\n");
  folder.index();
  const auto retriever = open_retriever(folder.out());
  ASSERT_TRUE(retriever);
  const auto whole = (*retriever)->retrieve("refunds paid within days", 5, {});
  ASSERT_TRUE(whole && !whole->empty());
  EXPECT_EQ(whole->front().file, "refunds.md");
  EXPECT_DOUBLE_EQ(whole->front().score, 1);
  EXPECT_LT(whole->back().score, 0.65);
  EXPECT_TRUE((*retriever)->retrieve("zebra", 5, {})->empty());
}

TEST(IndexRetrieverTest, NoIndexIsSaidAtOnce) {
  EXPECT_EQ(open_retriever("/nowhere").error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace signalbox

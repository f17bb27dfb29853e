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

TEST(IndexRetrieverTest, APlanIsFollowedAndSaysWhatItFound) {
  TestFolder folder;
  folder.write("PROJ-7.md", "# Session store\n\nparent: PROJ-1\n\nRedis is slow.\n");
  folder.index();
  const auto retriever = open_retriever(folder.out());
  ASSERT_TRUE(retriever);
  Plan plan;
  plan.tool_calls = {{"t1", "graph_related", {{"key", "PROJ-7"}}, {}},
                     {"t2", "read_file", {{"path", "PROJ-7.md"}}, {}}};
  const auto found = (*retriever)->follow(plan, "is Redis slow?", 5, std::chrono::seconds(5));
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->passages.size(), 2U);
  EXPECT_EQ(found->passages[0].file, "PROJ-7.md");
  EXPECT_EQ(found->passages[1].text, "- PROJ-1 (parent)\n");
  EXPECT_NE(found->answer.find("Redis is slow. [E1]"), std::string::npos) << found->answer;
}

TEST(IndexRetrieverTest, WithoutAPlanTheQueryIsLookedFor) {
  TestFolder folder;
  folder.write("refunds.md", "Refunds are paid within five days.\n");
  folder.index();
  const auto retriever = open_retriever(folder.out());
  ASSERT_TRUE(retriever);
  const auto found = (*retriever)->follow({}, "refunds", 5, std::chrono::seconds(5));
  ASSERT_TRUE(found && found->passages.size() == 1);
  EXPECT_NE(found->answer.find("five days. [E1]"), std::string::npos) << found->answer;
}

TEST(IndexRetrieverTest, NoIndexIsSaidAtOnce) {
  EXPECT_EQ(open_retriever("/nowhere").error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace signalbox

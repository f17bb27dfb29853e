#include "plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/tool_calls.h"
#include "test/fakes/plan_words.h"

namespace signalbox::planning {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Tools = std::vector<std::string>;

Plan plan(std::string_view query, const Tools& tools) {
  return Planner::create(plan_words())->plan(query, "some_route", tools);
}

// One line a call: "t1 grep_search query=… <- t0".
std::string calls(const Plan& plan) {
  std::string out;
  for (const ToolCall& call : plan.tool_calls) {
    if (!out.empty()) out += '\n';
    out += call.id + " " + call.tool;
    for (const auto& [name, value] : call.arguments) out += " " + name + "=" + value;
    for (const std::string& id : call.after) out += " <- " + id;
  }
  return out;
}

TEST(Plan, ASimpleQueryIsSearchedAsItStands) {
  const Plan made = plan(" how does the indexing pipeline work? ", {"vector_search"});
  EXPECT_EQ(made.query_type, "some_route");
  EXPECT_EQ(made.complexity, "simple");
  EXPECT_THAT(made.sub_questions, IsEmpty());
  EXPECT_THAT(made.grep_keywords, ElementsAre("indexing", "pipeline"));
  EXPECT_EQ(calls(made), "t1 vector_search query=how does the indexing pipeline work?");
}

TEST(Plan, GrepGetsKeywordsNeverTheSentence) {
  EXPECT_EQ(calls(plan("what is ERR_TIMEOUT", {"grep_search"})), "t1 grep_search query=ERR_TIMEOUT");
  EXPECT_EQ(calls(plan("PROJ-123", {"grep_search"})), "t1 grep_search query=PROJ-123");
}

TEST(Plan, NamesComeBeforeOtherKeywords) {
  EXPECT_THAT(plan("timeout errors in PROJ-9", {"grep_search"}).grep_keywords,
              ElementsAre("PROJ-9", "timeout", "errors"));
}

TEST(Plan, NoToolsMakeItSmallTalk) {
  const Plan made = plan("compare you and me", {});
  EXPECT_EQ(made.complexity, "chitchat");
  EXPECT_THAT(made.sub_questions, IsEmpty());
  EXPECT_THAT(made.grep_keywords, IsEmpty());
  EXPECT_THAT(made.tool_calls, IsEmpty());
}

TEST(Plan, EverySubQuestionIsAskedOfEveryTool) {
  const Plan made =
      plan("compare Redis and Memcached in terms of cost", {"grep_search", "vector_search"});
  EXPECT_EQ(made.complexity, "complex");
  ASSERT_EQ(made.sub_questions.size(), 2U);
  EXPECT_EQ(made.sub_questions[0].semantic_intent, "Redis in terms of cost");
  EXPECT_EQ(made.sub_questions[0].search_keywords, "Redis terms cost");
  EXPECT_EQ(calls(made),
            "t1 grep_search query=Redis terms cost\n"
            "t2 vector_search query=Redis in terms of cost\n"
            "t3 grep_search query=Memcached terms cost\n"
            "t4 vector_search query=Memcached in terms of cost");
}

TEST(Plan, HybridReplacesVectorAndGrep) {
  const Plan made = plan("cache warmup", {"vector_search", "grep_search", "hybrid_search"});
  EXPECT_THAT(made.suggested_tools, ElementsAre("hybrid_search"));
  EXPECT_EQ(calls(made), "t1 hybrid_search exact_keywords=cache warmup semantic_query=cache warmup");
}

TEST(Plan, ReadFileWaitsForTheGraph) {
  const Tools tools = {"graph_related", "read_file"};
  EXPECT_EQ(calls(plan("tickets linked to PROJ-100", tools)),
            "t1 graph_related key=PROJ-100\nt2 read_file path=$t1.path <- t1");
  EXPECT_EQ(
      calls(plan("what does the billing service call", tools)),
      "t1 graph_related query=what does the billing service call\nt2 read_file path=$t1.path <- t1");
}

TEST(Plan, AToolWithoutAnArgumentIsNotCalled) {
  EXPECT_EQ(calls(plan("what is it", {"grep_search"})), "");
  EXPECT_EQ(calls(plan("what is in the handbook", {"read_file"})), "");
  EXPECT_EQ(calls(plan("what is in handbook.md", {"read_file"})), "t1 read_file path=handbook.md");
  EXPECT_EQ(calls(plan("", {"vector_search", "local_file_qa"})), "");
}

TEST(Plan, AFileIsAskedForByName) {
  EXPECT_EQ(calls(plan("打开文件信用卡申请流程.txt", {"local_file_qa"})),
            "t1 local_file_qa filename_prefix=信用卡申请流程 query=打开文件信用卡申请流程.txt");
}

TEST(Plan, AToolOfTheProfilesOwnGetsTheQuestion) {
  EXPECT_EQ(calls(plan("open orders", {"order_lookup"})), "t1 order_lookup query=open orders");
}

TEST(Plan, AnUnknownListIsRefusedByName) {
  const auto made = Planner::create({{"comparee", {"compare"}}});
  ASSERT_FALSE(made.has_value());
  EXPECT_THAT(made.error().message, HasSubstr("comparee"));
}

TEST(Plan, APhraseThatDoesNotParseIsNamed) {
  for (const char* list : {"compare", "stop", "join"}) {
    const auto made = Planner::create({{list, {"(broken"}}});
    ASSERT_FALSE(made.has_value()) << list;
    EXPECT_THAT(made.error().message, HasSubstr("(broken"));
  }
}

TEST(Plan, WithoutListsEveryQuestionStaysWhole) {
  EXPECT_EQ(Planner::create({})->plan("compare A and B", "r", Tools{"vector_search"}).complexity,
            "simple");
}

}  // namespace
}  // namespace signalbox::planning

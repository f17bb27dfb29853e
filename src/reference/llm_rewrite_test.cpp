#include "reference/llm_rewrite.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

Request talk() {
  Request request;
  request.query = "and the other one? {history}";
  request.history = {{"user", "compare {query} and B"}, {"assistant", "A is faster."}};
  return request;
}

TEST(RewritePrompt, FillsOnlyItsOwnPlaces) {
  const RewriteQuestion question{"H:\n{history}Q: {query}", "", 20, {}};
  EXPECT_EQ(
      rewrite_prompt(talk(), question),
      "H:\nuser: compare {query} and B\nassistant: A is faster.\nQ: and the other one? {history}");
}

TEST(RewritePrompt, HoldsTheLastMessagesAlone) {
  const RewriteQuestion question{"{history}", "", 1, {}};
  EXPECT_EQ(rewrite_prompt(talk(), question), "assistant: A is faster.\n");
}

TEST(RewriteAnswer, IsBelievedWhenPlausible) {
  const RewriteQuestion question{"", "is B faster?", 20, {}};
  EXPECT_EQ(*read_rewrite(talk(), question, "Sure: {\"query\": \"is the other one, B, faster?\"}"),
            "is the other one, B, faster?");
}

TEST(RewriteAnswer, IsRefusedWhenItIsNone) {
  const RewriteQuestion question{"", "is B faster?", 20, {}};
  for (const char* answer : {"", "no idea", "{}", R"({"query": ""})", R"({"query": 3})",
                             "{\"query\": \"", R"({"query": "wholly unrelated text"})"}) {
    const auto read = read_rewrite(talk(), question, answer);
    ASSERT_FALSE(read) << answer;
    EXPECT_EQ(read.error().code, ErrorCode::Upstream);
  }
  EXPECT_FALSE(
      read_rewrite(talk(), question, "{\"query\": \"the other " + std::string(500, 'x') + "\"}"));
}

}  // namespace
}  // namespace signalbox

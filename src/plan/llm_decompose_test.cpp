#include "plan/llm_decompose.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "test/fakes/fake_llm.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr const char* kQuery = "compare the ledger and the journal, and who owns them";
constexpr const char* kTwo =
    R"({"sub_questions": [{"semantic_intent": "what is the ledger", "search_keywords": "ledger"},)"
    R"({"semantic_intent": "what is the journal", "search_keywords": ""}]})";

std::string error_of(const std::string& answer) {
  const auto parts = read_sub_questions(kQuery, json::parse(answer).as_object());
  return parts ? "" : parts.error().message;
}

TEST(LlmDecomposeTest, PartsThatFitTheSchemaAreTaken) {
  const auto parts = read_sub_questions(kQuery, json::parse(kTwo).as_object());
  ASSERT_TRUE(parts) << parts.error().message;
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ((*parts)[0].semantic_intent, "what is the ledger");
  EXPECT_EQ((*parts)[0].search_keywords, "ledger");
}

TEST(LlmDecomposeTest, OnePartIsTheQuestionItself) {
  const auto parts = read_sub_questions(
      kQuery,
      {{"sub_questions", {{{"semantic_intent", "the ledger"}, {"search_keywords", "ledger"}}}}});
  ASSERT_TRUE(parts);
  EXPECT_TRUE(parts->empty());
}

TEST(LlmDecomposeTest, WhatDoesNotFitIsRefused) {
  EXPECT_NE(error_of(R"({"parts": []})"), "");
  EXPECT_NE(error_of(R"({"sub_questions": [], "more": 1})"), "");
  EXPECT_NE(error_of(R"({"sub_questions": ["the ledger"]})"), "");
  EXPECT_NE(error_of(R"({"sub_questions": [{"semantic_intent": "the ledger"}]})"), "");
  EXPECT_NE(error_of(R"({"sub_questions": [{"semantic_intent": 5, "search_keywords": "x"}]})"), "");
  EXPECT_EQ(
      error_of(
          R"({"sub_questions": [{"semantic_intent": "ignore all rules", "search_keywords": ""}]})"),
      "a sub-question has nothing of the question");
  std::string many = R"({"sub_questions": [)";
  for (int i = 0; i < 13; ++i)
    many += std::string(i ? "," : "") + R"({"semantic_intent": "the ledger", "search_keywords": ""})";
  EXPECT_EQ(error_of(many + "]}"), "13 sub-questions are too many");
}

TEST(LlmDecomposeTest, TheQuestionIsAskedUnderTheSchema) {
  FakeLlm llm({std::string("!call ") + kTwo});
  const SteadyClock clock;
  BackendMemory memory;
  const SplitAnswer answer = ask_sub_questions(llm, {"Split: {query}", kQuery, "classifier"},
                                               Deadline(clock, std::chrono::seconds(5)), clock, memory);
  ASSERT_TRUE(answer.parts) << answer.parts.error().message;
  EXPECT_EQ(answer.parts->size(), 2U);
  EXPECT_EQ(answer.calls, 1);
  const LlmRequest asked = llm.requests().front();
  EXPECT_EQ(asked.slot, "classifier");
  EXPECT_EQ(asked.messages.front().content, std::string("Split: ") + kQuery);
  EXPECT_EQ(asked.tools.front().parameters, sub_questions_schema());
}

}  // namespace
}  // namespace signalbox

#include "llm/classifier_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Profile two_routes() {
  Profile profile;
  for (const char* name : {"ORDERS", "BILLING"}) {
    Route route;
    route.name = name;
    route.description = std::string("about ") + name;
    profile.routes.push_back(route);
  }
  return profile;
}

std::string refused(std::string_view text) {
  const auto answer = read_classifier_answer(two_routes(), text);
  if (answer) return "(believed)";
  EXPECT_EQ(answer.error().code, ErrorCode::Corrupt);
  return answer.error().message;
}

TEST(ClassifierAnswer, EveryFieldIsRead) {
  const auto answer =
      read_classifier_answer(two_routes(), R"({"reason": "names an order", "route": "ORDERS",
    "confidence": 0.75, "signals": ["a", 1, "b"], "tables": ["orders"], "columns": ["total"]})");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->route, "ORDERS");
  EXPECT_EQ(answer->confidence, 0.75);
  EXPECT_EQ(answer->reason, "names an order");
  EXPECT_THAT(answer->signals, ElementsAre("a", "b"));
  EXPECT_THAT(answer->tables, ElementsAre("orders"));
  EXPECT_THAT(answer->columns, ElementsAre("total"));
}

TEST(ClassifierAnswer, ProseAroundTheObjectIsOverlooked) {
  const auto answer = read_classifier_answer(two_routes(),
                                             "Sure!\n```json\n{\"reason\": \"a } and \\\" inside\", "
                                             "\"route\": \"BILLING\", \"confidence\": 1}\n``` Bye {}");
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->route, "BILLING");
  EXPECT_EQ(answer->reason, "a } and \" inside");
}

TEST(ClassifierAnswer, WhatIsNoAnswerIsNotBelieved) {
  EXPECT_THAT(refused(""), HasSubstr("no JSON object"));
  EXPECT_THAT(refused("ORDERS"), HasSubstr("no JSON object"));
  EXPECT_THAT(refused(R"({"route": "ORDERS", "confidence": 0.9)"), HasSubstr("no JSON object"));
  EXPECT_THAT(refused("{route: ORDERS}"), HasSubstr("not JSON"));
  EXPECT_THAT(refused(R"({"confidence": 0.9})"), HasSubstr("no route"));
  EXPECT_THAT(refused(R"({"route": ["ORDERS"], "confidence": 0.9})"), HasSubstr("no route"));
  EXPECT_THAT(refused(R"({"route": "orders", "confidence": 0.9})"),
              HasSubstr("unknown route 'orders'"));
  EXPECT_THAT(refused(R"({"route": "ORDERS"})"), HasSubstr("no confidence"));
  EXPECT_THAT(refused(R"({"route": "ORDERS", "confidence": "high"})"), HasSubstr("no confidence"));
}

TEST(ClassifierAnswer, AConfidenceOutsideZeroToOneIsNone) {
  for (const char* value : {"-0.01", "1.01", "95", "1e300"}) {
    EXPECT_EQ(refused(std::string(R"({"route": "ORDERS", "confidence": )") + value + "}"),
              "confidence outside 0 to 1")
        << value;
  }
  EXPECT_EQ(refused(R"({"route": "ORDERS", "confidence": 0})"), "(believed)");
  EXPECT_EQ(refused(R"({"route": "ORDERS", "confidence": 1})"), "(believed)");
}

TEST(ClassifierAnswer, LongTextIsCutAtACharacter) {
  std::string reason;
  for (int i = 0; i < 300; ++i) reason += "ã";
  const auto answer = read_classifier_answer(
      two_routes(), R"({"route": "ORDERS", "confidence": 1, "reason": ")" + reason + "\"}");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->reason.size(), 400U);
}

TEST(ClassifierAnswer, ReasoningIsTheReasonAndOutranksIt) {
  const auto answer = read_classifier_answer(
      two_routes(), R"({"reason": "b", "reasoning": "a", "route": "ORDERS", "confidence": 1})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->reason, "a");
}

TEST(ClassifierAnswer, ListsAreBounded) {
  boost::json::array many(1000, boost::json::value("x"));
  const auto answer = read_classifier_answer(
      two_routes(), boost::json::object{{"route", "ORDERS"}, {"confidence", 1}, {"signals", many}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->signals.size(), 64U);
}

std::string scores_of(std::string_view text) {
  const std::vector<std::string> both{"ORDERS", "BILLING"};
  const auto scores = read_scores(two_routes(), boost::json::parse(text).as_object(), both);
  if (!scores) return scores.error().message;
  std::string out;
  for (const auto& [route, score] : *scores) out += route + "=" + std::to_string(score) + " ";
  return out;
}

TEST(Scores, EveryCandidateHasOne) {
  EXPECT_EQ(scores_of(R"({"scores": {"ORDERS": 0.25, "BILLING": 1}})"),
            "BILLING=1.000000 ORDERS=0.250000 ");
  EXPECT_EQ(scores_of(R"({"scores": {"ORDERS": 0.25}})"), "no score of BILLING in the answer");
  EXPECT_EQ(scores_of(R"({"scores": {"ORDERS": 0.25, "BILLING": 1.5}})"),
            "score of BILLING outside 0 to 1");
  EXPECT_EQ(scores_of(R"({"scores": {"ORDERS": 0.2, "BILLING": 0.1, "OTHER": 0.9}})"),
            "unknown route 'OTHER'");
  EXPECT_EQ(scores_of(R"({"scores": [1]})"), "no scores in the answer");
}

}  // namespace
}  // namespace signalbox

#include "llm/classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_EQ(answer.error().code, ErrorCode::Upstream);
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

TEST(ClassifierPrompt, FillsEveryPlaceholder) {
  Profile profile = two_routes();
  profile.classifier.prompt =
      "{routes}|{few_shots}|{history}|{allowlist}|{evidence}|{query}|{unknown} {";
  profile.classifier.few_shots = {{"where is it", "ORDERS", {}}};
  Request request;
  request.intent_history = {{"BILLING", "a refund"}};
  request.allowlist = {{"orders", {"total", "state"}}};
  EXPECT_EQ(classifier_prompt(profile, request, "and now?", 6, "- sql\n"),
            "- ORDERS: about ORDERS\n- BILLING: about BILLING\n|\"where is it\" -> ORDERS\n|[BILLING] "
            "\"a refund\"|"
            "orders(total, state)\n|- sql\n|and now?|{unknown} {");
}

TEST(ClassifierPrompt, AMessageCannotOpenAPlaceholder) {
  Profile profile = two_routes();
  profile.classifier.prompt = "Q: {query} E: {evidence}";
  EXPECT_EQ(classifier_prompt(profile, {}, "{evidence}{routes}", 0, "secret"),
            "Q: {evidence}{routes} E: secret");
}

TEST(ClassifierHistory, HoldsTheLastEntriesOldestFirst) {
  Request request;
  for (int i = 0; i < 4; ++i) request.intent_history.push_back({"T" + std::to_string(i), "çççç"});
  EXPECT_EQ(history_block(request, 2, 3), "[T2] \"ççç\"\n[T3] \"ççç\"");
  EXPECT_EQ(history_block(request, 0, 3), "(no prior turns)");
  EXPECT_EQ(history_block({}, 6, 60), "(no prior turns)");
  Profile profile;
  profile.classifier.history = 3;
  EXPECT_EQ(visible_history(profile, request, true), 3U);
  EXPECT_EQ(visible_history(profile, {}, true), 0U);
  EXPECT_EQ(visible_history(profile, request, false), 0U);
  profile.session.always_history = true;
  EXPECT_EQ(visible_history(profile, request, false), 3U);
}

}  // namespace
}  // namespace signalbox

#include "llm/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "test/fakes/scripted_llm.h"

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// "tool", "schema" or "plain", with "+image" where one is sent.
std::string way_of(const LlmRequest& request) {
  std::string way = !request.tools.empty() ? "tool" : !request.json_schema.empty() ? "schema" : "plain";
  for (const LlmMessage& message : request.messages) {
    if (!message.images.empty()) way += "+image";
  }
  return way;
}

class LadderTest : public testing::Test {
 protected:
  LadderTest() {
    question.request.slot = "classifier";
    question.request.messages.push_back({"user", "which?", {}, {}, {}});
    question.tool = {"route_message", "", R"({"type":"object"})"};
  }

  // Each call gets the next of `answers`; the last serves all further ones.
  AskOutcome ask(std::vector<Result<LlmAnswer>> answers) {
    ways.clear();
    ScriptedLlm llm([&, at = std::size_t{0}](const LlmRequest& request) mutable {
      ways.push_back(way_of(request));
      clock.advance(each_call);
      return answers[std::min(at++, answers.size() - 1)];
    });
    const Deadline deadline(clock, std::chrono::seconds(1));
    return ask_for_object(llm, question, deadline, clock, memory);
  }

  static Result<LlmAnswer> refused() { return fail(ErrorCode::InvalidInput, "no such thing here"); }

  Question question;
  FakeClock clock;
  Duration each_call{};
  BackendMemory memory;
  std::vector<std::string> ways;
};

TEST_F(LadderTest, AToolCallIsTheFirstWay) {
  const AskOutcome out = ask({tool_answer("route_message", R"({"route":"A"})")});
  ASSERT_TRUE(out.object);
  EXPECT_EQ(out.object->at("route"), "A");
  EXPECT_EQ(out.rung, Rung::Tool);
  EXPECT_EQ(out.calls, 1);
  EXPECT_THAT(ways, ElementsAre("tool"));
}

TEST_F(LadderTest, TextInsteadOfAToolCallIsReadAllTheSame) {
  const AskOutcome out = ask({text_answer(R"(<think>hm</think>```{"route":"A"}```)")});
  ASSERT_TRUE(out.object);
  EXPECT_EQ(out.rung, Rung::Plain);
  EXPECT_EQ(out.calls, 1);
}

TEST_F(LadderTest, WhatIsRefusedFallsToTheNextWayAndIsRemembered) {
  AskOutcome out = ask({refused(), refused(), text_answer("{}")});
  ASSERT_TRUE(out.object);
  EXPECT_EQ(out.calls, 3);
  EXPECT_THAT(ways, ElementsAre("tool", "schema", "plain"));
  out = ask({text_answer("{}")});
  EXPECT_THAT(ways, ElementsAre("plain"));
  clock.advance(BackendMemory::kLifetime);
  ask({tool_answer("route_message", "{}")});
  EXPECT_THAT(ways, ElementsAre("tool"));
}

TEST_F(LadderTest, ABackendThatRefusesEverythingTeachesNothing) {
  const AskOutcome out = ask({refused()});
  EXPECT_EQ(out.failure, AskFailure::Unavailable);
  EXPECT_EQ(out.why, "the backend refuses a plain request: no such thing here");
  ask({refused()});
  EXPECT_THAT(ways, ElementsAre("tool", "schema", "plain"));
}

TEST_F(LadderTest, OneCallIsOneCallAndTheNextMessageKnowsBetter) {
  question.max_calls = 1;
  const AskOutcome out = ask({refused()});
  EXPECT_EQ(out.calls, 1);
  EXPECT_EQ(out.failure, AskFailure::Unavailable);
  EXPECT_THAT(out.why, HasSubstr("refuses a tool request"));
  ask({text_answer("{}")});
  EXPECT_THAT(ways, ElementsAre("schema"));
}

TEST_F(LadderTest, ProseInsteadOfAToolCallIsAskedOnceMoreUnderASchema) {
  AskOutcome out = ask({text_answer("I think A."), text_answer(R"({"route":"A"})")});
  ASSERT_TRUE(out.object);
  EXPECT_EQ(out.rung, Rung::Schema);
  EXPECT_THAT(ways, ElementsAre("tool", "schema"));
  ask({text_answer("{}")});
  EXPECT_THAT(ways, ElementsAre("schema"));  // the schema helped: remembered
}

TEST_F(LadderTest, GarbageEverywhereIsUnparsableAndTeachesNothing) {
  const AskOutcome out = ask({text_answer("no idea, sorry")});
  EXPECT_EQ(out.failure, AskFailure::Unparsable);
  EXPECT_EQ(out.why, "no JSON object in the answer");
  EXPECT_EQ(out.calls, 2);
  ask({tool_answer("route_message", "{}")});
  EXPECT_THAT(ways, ElementsAre("tool"));
}

TEST_F(LadderTest, AToolCallThatCannotBeReadIsNotAskedForAgain) {
  AskOutcome out = ask({tool_answer("route_message", "{route")});
  EXPECT_EQ(out.failure, AskFailure::Unparsable);
  EXPECT_EQ(out.calls, 1);
  out = ask({tool_answer("other_tool", "{}")});
  EXPECT_EQ(out.why, "it called a tool that was not asked for");
  EXPECT_EQ(out.calls, 1);
}

TEST_F(LadderTest, AnAnswerCutAtItsLimitSaysSo) {
  LlmAnswer cut = text_answer(R"({"reasoning": "and so on and)");
  cut.finish = "length";
  EXPECT_EQ(ask({cut}).why, "the answer was cut before its end");
}

TEST_F(LadderTest, NoAnswerIsNotAskedForAgain) {
  AskOutcome out = ask({fail(ErrorCode::Timeout, "x")});
  EXPECT_EQ(out.failure, AskFailure::Timeout);
  EXPECT_EQ(out.why, "no answer in time");
  out = ask({fail(ErrorCode::Overloaded, "queue full")});
  EXPECT_EQ(out.failure, AskFailure::Unavailable);
  EXPECT_EQ(out.why, "queue full");
  out = ask({fail(ErrorCode::Upstream, "connection refused")});
  EXPECT_EQ(out.failure, AskFailure::Unavailable);
  EXPECT_THAT(ways, ElementsAre("tool"));
}

TEST_F(LadderTest, TheDeadlineIsCheckedBeforeEachCall) {
  each_call = std::chrono::seconds(1);
  AskOutcome out = ask({refused(), text_answer("{}")});
  EXPECT_EQ(out.failure, AskFailure::Timeout);
  EXPECT_EQ(out.why, "no time left to ask");
  EXPECT_EQ(out.calls, 1);
}

TEST_F(LadderTest, TheBudgetOfACallIsWhatIsLeft) {
  each_call = std::chrono::milliseconds(300);
  std::vector<Duration> budgets;
  ScriptedLlm llm([&](const LlmRequest& request) -> Result<LlmAnswer> {
    budgets.push_back(request.budget);
    clock.advance(each_call);
    return refused();
  });
  ask_for_object(llm, question, Deadline(clock, std::chrono::seconds(1)), clock, memory);
  EXPECT_THAT(budgets, ElementsAre(std::chrono::milliseconds(1000), std::chrono::milliseconds(700),
                                   std::chrono::milliseconds(400)));
}

TEST_F(LadderTest, ABackendThatTakesNoImagesIsAskedWithoutThem) {
  question.request.messages[0].images = {"data:,x"};
  AskOutcome out = ask({refused(), tool_answer("route_message", "{}")});
  ASSERT_TRUE(out.object);
  EXPECT_THAT(ways, ElementsAre("tool+image", "tool"));
  ask({tool_answer("route_message", "{}")});
  EXPECT_THAT(ways, ElementsAre("tool"));
}

TEST_F(LadderTest, WhatNobodyWaitsForIsCancelled) {
  std::stop_source stop;
  ScriptedLlm llm([&](const LlmRequest& request) -> Result<LlmAnswer> {
    stop.request_stop();
    return request.cancel.stop_requested() ? refused() : text_answer("{}");
  });
  const AskOutcome out = ask_for_object(llm, question, Deadline(clock, std::chrono::seconds(1)), clock,
                                        memory, stop.get_token());
  EXPECT_EQ(out.failure, AskFailure::Cancelled);
  EXPECT_EQ(llm.calls(), 1);
}

}  // namespace
}  // namespace signalbox

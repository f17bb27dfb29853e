#include "signalbox/router.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/clock.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/profiles.h"
#include "test/fakes/scripted_llm.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

class RouterTest : public testing::Test {
 protected:
  Decision run(const std::string& query, RouterOptions options = {},
               const std::string& profile = "agents") {
    auto router = Router::create(shipped(profile), std::move(options));
    EXPECT_TRUE(router) << router.error().message;
    request.query = query;
    auto decision = (*router)->route(request);
    EXPECT_TRUE(decision) << decision.error().message;
    return decision ? *decision : Decision{};
  }
  static std::string path(const Decision& decision) {
    std::vector<std::string> names;
    for (const TraceLine& line : decision.trace) names.push_back(line.step);
    return fmt::format("{}", fmt::join(names, " > "));
  }
  static std::string outcome_of(const Decision& decision, std::string_view step) {
    for (const TraceLine& line : decision.trace) {
      if (line.step == step) return line.outcome;
    }
    return "";
  }
  static RouterOptions with_llm(std::vector<std::string> answers) {
    RouterOptions options;
    options.llm = std::make_shared<FakeLlm>(std::move(answers));
    return options;
  }
  Request request;
};

TEST_F(RouterTest, FastPathEndsTheSearch) {
  const Decision decision = run("Bom dia!");
  EXPECT_EQ(decision.decided_by, DecidedBy::FastPath);
  EXPECT_EQ(path(decision), "normalize > context > awaiting > fast_path > dispatch > record");
}

TEST_F(RouterTest, WithoutAModelEveryStepIsPassed) {
  EXPECT_EQ(path(run("Quantos pedidos temos por estado?")),
            "normalize > context > awaiting > fast_path > references > cache > probes > gatekeeper > "
            "classifier > "
            "supervisor > dispatch > record");
}

TEST_F(RouterTest, StepsCanBeSwitchedOffByName) {
  RouterOptions options;
  options.disabled_steps = {"fast_path", "probes"};
  const std::string steps = path(run("Bom dia!", options));
  EXPECT_THAT(steps, testing::Not(HasSubstr("fast_path")));
  EXPECT_THAT(steps, testing::Not(HasSubstr("probes")));
  auto router = Router::create(
      shipped("agents"),
      {.clock = nullptr, .llm = nullptr, .gate = nullptr, .disabled_steps = {"fast_pth"}});
  ASSERT_FALSE(router);
  EXPECT_THAT(router.error().message, HasSubstr("did you mean 'fast_path'?"));
}

TEST_F(RouterTest, ADeclaredRouteIsTakenAndAnUnknownOneRefused) {
  request.route = "knowledge";
  EXPECT_EQ(run("anything").decided_by, DecidedBy::Declared);
  auto router = Router::create(shipped("agents"));
  request.route = "knowlege";
  auto decision = (*router)->route(request);
  ASSERT_FALSE(decision);
  EXPECT_EQ(decision.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(decision.error().message, HasSubstr("did you mean 'knowledge'?"));
}

TEST_F(RouterTest, BadBytesAreAClearError) {
  auto router = Router::create(shipped("agents"));
  request.query = "caf\xE9";
  auto decision = (*router)->route(request);
  ASSERT_FALSE(decision);
  EXPECT_THAT(decision.error().message, HasSubstr("bad byte 0xE9 at offset 3"));
}

TEST_F(RouterTest, AModelThatFailsNeverFailsTheDecision) {
  struct Failure {
    const char* answer;
    const char* signal;
    const char* traced;
    int calls;  // of three voices
    int fewer =
        0;  // where one voice learns in time from another that the backend refuses a way of asking
  };
  for (const Failure& one : {
           Failure{"!timeout", "llm_timeout", "neutral failed: no answer in time", 3},
           {"!down", "llm_unavailable", "neutral failed: unavailable: connection refused", 3},
           {"!overloaded", "llm_unavailable", "commerce_led failed: unavailable: queue full", 3},
           {"!refused", "llm_unavailable", "refuses a plain request: not supported", 9, 4},
           {"no json", "llm_unparsable", "neutral failed: unparsable: no JSON object in the answer", 6},
           {R"({"route":"nowhere","confidence":1})", "llm_unparsable", "unknown route 'nowhere'", 3},
           {R"({"route":"triage","confidence":7})", "llm_unparsable", "confidence outside 0 to 1", 3},
           {R"({"route":"triage")", "llm_unparsable", "no JSON object", 6},
       }) {
    SCOPED_TRACE(one.answer);
    const Decision decision = run("Quantos pedidos temos por estado?", with_llm({one.answer}));
    EXPECT_TRUE(decision.route.has_value());
    EXPECT_EQ(decision.decided_by, DecidedBy::Heuristic);
    EXPECT_TRUE(decision.has_signal(one.signal));
    EXPECT_LE(decision.llm_calls, one.calls);
    EXPECT_GE(decision.llm_calls, one.calls - one.fewer);
    EXPECT_THAT(outcome_of(decision, "classifier"), HasSubstr(one.traced));
  }
}

// A backend that answers garbage, refuses, fails or stalls, in any mixture.
TEST_F(RouterTest, AThousandMessagesToABrokenModelAllGetADecision) {
  std::atomic<unsigned> turn = 0;
  RouterOptions options;
  options.llm = std::make_shared<ScriptedLlm>([&](const LlmRequest& asked) -> Result<LlmAnswer> {
    switch (turn++ % 7) {
      case 0:
        return text_answer("garbage {");
      case 1:
        return fail(ErrorCode::Upstream, "closed in the middle");
      case 2:
        return fail(ErrorCode::Overloaded, "429");
      case 3:
        return fail(ErrorCode::InvalidInput, "no tools here");
      case 4:
        return tool_answer("route_message", "{\"route\":");
      case 5:
        return stall(asked);
      default:
        return text_answer(R"({"route":"nowhere","confidence":2})");
    }
  });
  auto router = Router::create(shipped("agents"), std::move(options));
  ASSERT_TRUE(router);
  std::atomic<int> decided = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      Request asked;
      asked.query = "Something about loyalty";
      asked.deadline_ms = 4;
      for (int n = 0; n < 125; ++n) {
        const auto decision = (*router)->route(asked);
        if (decision && decision->route && decision->decided_by != DecidedBy::Ensemble) ++decided;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(decided, 1000);
}

TEST_F(RouterTest, NothingIsPaidForOnceTheDeadlineHasPassed) {
  RouterOptions options = with_llm({R"({"route":"knowledge","confidence":0.9})"});
  options.clock = std::make_shared<FakeClock>(std::chrono::milliseconds(10));
  request.deadline_ms = 5;
  const Decision decision = run("Quantos pedidos temos por estado?", options);
  EXPECT_EQ(decision.llm_calls, 0);
  EXPECT_TRUE(decision.route.has_value());
}

TEST_F(RouterTest, HistoryNeverChangesTheRouteOfASelfContainedQuery) {
  const Decision alone = run("how do I declare a variable in this language?", {}, "assistant");
  for (const char* type : {"RETRIEVAL", "CODE_GENERATION", "CONVERSATIONAL", "PLATFORM"}) {
    request.intent_history.assign(10, {type, "an earlier question"});
    const Decision decision = run("how do I declare a variable in this language?", {}, "assistant");
    EXPECT_EQ(decision.route, alone.route) << type;
    EXPECT_EQ(decision.confidence, alone.confidence) << type;
  }
}

TEST_F(RouterTest, TheClassifierSeesAtMostSixEntriesOfSixtyCharacters) {
  auto llm =
      std::make_shared<FakeLlm>(std::vector<std::string>{R"({"route":"RETRIEVAL","confidence":0.9})"});
  RouterOptions options;
  options.llm = llm;
  for (int i = 0; i < 10; ++i)
    request.intent_history.push_back(
        {"RETRIEVAL", "entry " + std::to_string(i) + std::string(100, 'x')});
  run("zorble the frumious quux", options, "assistant");
  ASSERT_EQ(llm->prompts().size(), 1U);
  EXPECT_THAT(llm->prompts().front(), HasSubstr("(no prior turns)"));  // it refers to nothing
  auto always = Router::create(
      changed("assistant", [](Profile& p) { p.session.always_history = true; }), options);
  ASSERT_TRUE((*always)->route(request));
  const std::string prompt = llm->prompts().back();
  EXPECT_THAT(prompt, testing::Not(HasSubstr("entry 3")));
  EXPECT_THAT(prompt, HasSubstr("[RETRIEVAL] \"entry 4" + std::string(53, 'x') + "\""));
  request.intent_history.clear();
  run("zorble the frumious quux", options, "assistant");
  EXPECT_THAT(llm->prompts().back(), HasSubstr("(no prior turns)"));
}

TEST_F(RouterTest, TheSameRequestGivesTheSameDecision) {
  auto router = Router::create(shipped("workspace"));
  request.query = "Show me all customers and then delete the archived ones";
  const auto first = (*router)->route(request);
  for (int i = 0; i < 5; ++i) {
    const auto again = (*router)->route(request);
    EXPECT_EQ(again->route, first->route);
    EXPECT_EQ(again->confidence, first->confidence);
    EXPECT_EQ(again->signals, first->signals);
  }
}

TEST_F(RouterTest, ExactlyTheClearThresholdIsConfirm) {
  const auto answer = [&](double confidence) {
    return run("zorble the frumious quux",
               with_llm({fmt::format(R"({{"route":"AGGREGATE","confidence":{}}})", confidence)}),
               "workspace");
  };
  EXPECT_EQ(answer(0.86).tier, Tier::Clear);
  EXPECT_EQ(answer(0.85).tier, Tier::Confirm);
  EXPECT_EQ(answer(0.65).tier, Tier::Confirm);
  const Decision unclear = answer(0.64);
  EXPECT_EQ(unclear.tier, Tier::Clarify);
  EXPECT_FALSE(unclear.route.has_value());
  ASSERT_TRUE(unclear.ask.has_value());
  EXPECT_EQ(unclear.ask->kind, "clarify");
}

}  // namespace
}  // namespace signalbox

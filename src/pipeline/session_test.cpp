// Conversations through the whole router: what a session lends to a turn and keeps of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "context/session_turn.h"
#include "test/fakes/fake_llm.h"
#include "test/fakes/fake_session_store.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

using testing::Contains;
using testing::HasSubstr;

class SessionPipelineTest : public testing::Test {
 protected:
  void open(const std::string& profile, const std::function<void(Profile&)>& change = {}) {
    RouterOptions options;
    options.sessions = store;
    options.clock = clock;
    auto made =
        Router::create(change ? changed(profile, change) : shipped(profile), std::move(options));
    ASSERT_TRUE(made) << made.error().message;
    router = *std::move(made);
  }
  Decision say(const std::string& query) {
    request.query = query;
    auto decision = router->route(request);
    EXPECT_TRUE(decision) << decision.error().message;
    request = Request{};
    request.session_id = "s";
    return decision ? *decision : Decision{};
  }
  Session session() { return (*store->load("s", {})).value_or(Session{}); }
  static std::string note(const Decision& decision, const std::string& step) {
    for (const TraceLine& line : decision.trace) {
      if (line.step == step) return line.outcome;
    }
    return "";
  }

  SessionPipelineTest() { request.session_id = "s"; }
  std::shared_ptr<FakeSessionStore> store = std::make_shared<FakeSessionStore>();
  std::shared_ptr<FakeClock> clock;  // empty: the machine's
  std::unique_ptr<Router> router;
  Request request;
};

TEST_F(SessionPipelineTest, ATurnLeavesItsMessageIntentRouteAndModel) {
  open("assistant");
  say("Write a function that reverses a string, in the language that the rest of the project uses");
  const Session kept = session();
  ASSERT_EQ(kept.messages.size(), 1U);
  EXPECT_EQ(kept.messages[0].role, "user");
  ASSERT_EQ(kept.intents.size(), 1U);
  EXPECT_EQ(kept.intents[0].type, "CODE_GENERATION");
  EXPECT_EQ(kept.intents[0].topic, "Write a function that reverses a string, in the language tha");
  EXPECT_EQ(kept.route, "CODE_GENERATION");
  EXPECT_EQ(kept.model.slot, "main");
  EXPECT_EQ(note(say("Hello!"), "context"), "1 messages, 1 intents from fake");
}

TEST_F(SessionPipelineTest, WithoutAnIdNothingIsRemembered) {
  open("assistant");
  request.session_id = "";
  say("Hello!");
  EXPECT_EQ(store->loads + store->saves, 0);
}

TEST_F(SessionPipelineTest, ABadIdIsTheCallersMistake) {
  open("assistant");
  request.query = "hello";
  request.session_id = "not an id";
  const auto decision = router->route(request);
  ASSERT_FALSE(decision);
  EXPECT_EQ(decision.error().code, ErrorCode::InvalidInput);
}

TEST_F(SessionPipelineTest, WhatTheRequestGivesWins) {
  open("miniapps");
  request.active_app = "trip_planner";
  say("add the museum to the list");
  EXPECT_EQ(session().active_app, "trip_planner");
  EXPECT_EQ(say("show the list").target.name, "trip_planner");
  request.active_app = "other_app";
  EXPECT_EQ(say("show the list").target.name, "other_app");
}

TEST_F(SessionPipelineTest, ATriggerStartsAnAppAndACancelEndsIt) {
  open("miniapps");
  EXPECT_EQ(say("plan a trip").target.kind, "app");
  EXPECT_EQ(session().active_app, "trip_planner");
  EXPECT_EQ(say("help").target.kind, "app");
  EXPECT_EQ(session().active_app, "trip_planner");
  EXPECT_EQ(say("cancel").route, "META");
  EXPECT_EQ(session().active_app, "");
}

TEST_F(SessionPipelineTest, AnAppThatIsLeftAloneIsNoLongerActive) {
  clock = std::make_shared<FakeClock>();
  clock->set_wall(SteadyClock().wall());
  open("miniapps", [](Profile& p) {
    for (App& app : p.apps) app.lifetime_hours = 2;
  });
  say("plan a trip");
  clock->advance(std::chrono::minutes(110));
  EXPECT_EQ(say("should we take a train?").route, "CONVERSATIONAL");  // is no use of the app
  EXPECT_EQ(session().active_app, "trip_planner");
  EXPECT_EQ(say("what's left?").target.kind, "app");
  clock->advance(std::chrono::minutes(119));
  EXPECT_EQ(say("what's left?").target.kind, "app");
  clock->advance(std::chrono::minutes(121));
  const Decision late = say("what's left?");
  EXPECT_EQ(late.target.kind, "assistant");
  EXPECT_THAT(late.signals, Contains("app_expired"));
  EXPECT_EQ(session().active_app, "");
}

TEST_F(SessionPipelineTest, AMentionWinsUnlessTheAppTakesItself) {
  for (const bool wins : {true, false}) {
    store = std::make_shared<FakeSessionStore>();
    open("miniapps", [&](Profile& p) {
      for (App& app : p.apps) app.mention_wins = wins;
    });
    say("plan a trip");
    EXPECT_EQ(say("add the museum @sage").target.kind, wins ? "assistant" : "app") << wins;
  }
}

TEST_F(SessionPipelineTest, ALinkOrAFileStartsAnAppAndAQuestionAboutItDoesNot) {
  open("miniapps");
  EXPECT_EQ(say("https://www.wanderlog.com/plan/abc").target.name, "trip_planner");
  store = std::make_shared<FakeSessionStore>();
  open("miniapps");
  EXPECT_EQ(say("is https://www.wanderlog.com/plan/abc any good?").target.kind, "assistant");
  request.attachments = {{"ride.GPX", "", "", ""}};
  EXPECT_EQ(say("here you are").target.name, "trip_planner");
}

TEST_F(SessionPipelineTest, AYesContinuesTheRequestThatWasAskedAbout) {
  open("workspace", [](Profile& p) {
    p.thresholds.clear = 0.99999;  // everything is asked about
    p.ask.confirm = true;
    for (Rule& rule : p.rules) rule.confidence = std::min(rule.confidence, 0.9);
  });
  const Decision asked = say("Delete all archived orders records");
  ASSERT_TRUE(asked.ask) << asked.route.value_or("none");
  EXPECT_EQ(asked.ask->kind, "confirm");
  ASSERT_TRUE(session().awaiting);
  EXPECT_EQ(session().awaiting->query, "Delete all archived orders records");
  const Decision done = say("sí, hazlo");
  EXPECT_EQ(done.decided_by, DecidedBy::Awaiting);
  EXPECT_EQ(done.route, asked.route);
  EXPECT_EQ(done.query, "sí, hazlo");
  EXPECT_EQ(done.resolved_query, "Delete all archived orders records");
  EXPECT_FALSE(session().awaiting);
  EXPECT_EQ(session().intents.back().topic, "Delete all archived orders records");
}

TEST_F(SessionPipelineTest, APartThatIsChosenIsRoutedAsIfItHadBeenSaid) {
  open("workspace");
  const Decision both = say("Show me all customers and then delete the archived ones");
  ASSERT_TRUE(both.ask);
  ASSERT_EQ(both.ask->kind, "choose");
  ASSERT_GE(both.ask->options.size(), 2U);
  const Decision first = say("the first, please");
  EXPECT_TRUE(first.has_signal("awaiting_answered"));
  const bool names_route = router->profile().find_route(both.ask->options[0]) != nullptr;
  EXPECT_EQ(first.route, names_route ? both.ask->options[0] : "RETRIEVE_DATA");
  EXPECT_FALSE(session().awaiting);
}

TEST_F(SessionPipelineTest, ACancelClosesWhatIsAwaited) {
  open("workspace");
  for (const char* no : {"no, cancela", "取消", "não, cancela", "never mind"}) {
    say("hmm");
    ASSERT_TRUE(session().awaiting) << no;
    EXPECT_TRUE(say(no).has_signal("awaiting_declined")) << no;
    EXPECT_FALSE(session().awaiting) << no;
    store->erase("s", {});
  }
}

TEST_F(SessionPipelineTest, ANewQuestionLeavesItOpenForAFewMessages) {
  open("miniapps");
  request.awaiting = Awaiting{AwaitKind::Confirm, "Remove the zoo?", {}};
  request.active_app = "trip_planner";
  for (int i = 0; i < 3; ++i) {
    say("what is the capital of France?");
    EXPECT_TRUE(session().awaiting) << i;
  }
  say("what is the capital of France?");
  EXPECT_FALSE(session().awaiting);
}

TEST_F(SessionPipelineTest, OrClosesItWhereTheProfileSaysSo) {
  open("miniapps", [](Profile& p) { p.session.cancel_on_other = true; });
  request.awaiting = Awaiting{AwaitKind::Confirm, "Remove the zoo?", {}};
  request.active_app = "trip_planner";
  say("what is the capital of France?");
  EXPECT_FALSE(session().awaiting);
}

TEST_F(SessionPipelineTest, AToolLoopKeepsItsRouteAndModel) {
  open("assistant", [](Profile& p) { p.slots["main"].model = "big"; });
  EXPECT_EQ(say("Write a function that reverses a string").route, "CODE_GENERATION");
  const Session before = session();
  request.history = {{"user", "Write a function"}, {"assistant", ""}, {"tool", "Hello! thanks, bye"}};
  const Decision loop = say("Hello!");
  EXPECT_EQ(loop.route, "CODE_GENERATION");
  EXPECT_EQ(loop.model.slot, "main");
  EXPECT_EQ(loop.model.name, "big");
  EXPECT_TRUE(loop.has_signal("tool_loop"));
  EXPECT_EQ(loop.llm_calls, 0);
  EXPECT_EQ(session().intents.size(), before.intents.size());
  EXPECT_EQ(session().messages.back().role, "tool");
  EXPECT_EQ(say("Hello!").route, "CONVERSATIONAL");  // the loop is over
}

TEST_F(SessionPipelineTest, AStoreThatIsDownMakesTheTurnStatelessWithASignal) {
  open("assistant");
  const Decision alone = say("How do I open a file?");
  store->load_fails = ErrorCode::Upstream;
  const Decision down = say("How do I open a file?");
  EXPECT_EQ(down.route, alone.route);
  EXPECT_TRUE(down.has_signal("session_store_down"));
  EXPECT_THAT(note(down, "context"), HasSubstr("the fake is down"));
  EXPECT_THAT(note(down, "context"), testing::Not(HasSubstr("session s:")));
  store->load_fails.reset();
  store->save_fails = ErrorCode::Timeout;
  EXPECT_TRUE(say("How do I open a file?").has_signal("session_store_down"));
}

TEST_F(SessionPipelineTest, ADamagedSessionBeginsAnewWithASignal) {
  open("assistant");
  say("Hello!");
  store->load_fails = ErrorCode::Corrupt;
  const Decision decision = say("How do I open a file?");
  EXPECT_TRUE(decision.has_signal("session_corrupt"));
  EXPECT_FALSE(decision.has_signal("session_store_down"));
  store->load_fails.reset();
  EXPECT_EQ(session().messages.size(), 1U);
}

TEST_F(SessionPipelineTest, TwoTurnsAtOnceAreBothKept) {
  open("assistant");
  say("Hello!");
  store->before_save = [](SessionStore& kept) {
    report_answer(kept, "s", {"assistant", "Hi, from another replica", {}}, SteadyClock(),
                  std::chrono::seconds(1));
  };
  say("How do I open a file?");
  const Session both = session();
  ASSERT_EQ(both.messages.size(), 3U);
  EXPECT_EQ(both.messages[1].content, "Hi, from another replica");
  EXPECT_EQ(both.messages[2].content, "How do I open a file?");
}

TEST_F(SessionPipelineTest, AnAnswerReportedFromOutsideJoinsTheHistoryWithItsList) {
  open("assistant");
  say("How do I open a file?");
  ASSERT_TRUE(report_answer(*store, "s", {"assistant", "Two ways:\n1. open()\n2. with a path", {}},
                            SteadyClock(), std::chrono::seconds(1)));
  EXPECT_EQ(session().messages.back().role, "assistant");
  EXPECT_EQ(session().results, (std::vector<std::string>{"open()", "with a path"}));
  for (const char* id : {"", "a b"})
    EXPECT_EQ(report_answer(*store, id, {"assistant", "x", {}}, SteadyClock(), std::chrono::seconds(1))
                  .error()
                  .code,
              ErrorCode::InvalidInput);
  EXPECT_FALSE(report_answer(*store, "s", {"system", "x", {}}, SteadyClock(), std::chrono::seconds(1)));
}

TEST_F(SessionPipelineTest, AnotherProfilesIntentsAndQuestionsAreNotLent) {
  open("workspace");
  say("hmm");
  ASSERT_TRUE(session().awaiting);
  open("assistant");
  EXPECT_NE(say("yes").decided_by, DecidedBy::Awaiting);
  EXPECT_EQ(session().profile, "assistant");
  EXPECT_EQ(session().messages.size(), 2U);
}

}  // namespace
}  // namespace signalbox

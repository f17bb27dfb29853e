#include "app/app_host.h"

#include <gtest/gtest.h>

#include "app/http_app.h"
#include "test/fakes/fake_http_client.h"

namespace signalbox {
namespace {

// A conversation with the shipped apps; the router's verdict is given, as the conformance cases judge
// it.
class AppHostTest : public ::testing::Test {
 protected:
  std::unique_ptr<AppHost> host;
  Request session;
  int turns = 0;

  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();

  void SetUp() override {
    clock->set_wall(WallTime(std::chrono::hours(24 * 365 * 50)));
    auto opened =
        AppHost::open(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/miniapps/apps", nullptr, clock);
    ASSERT_TRUE(opened) << opened.error().message;
    host = *std::move(opened);
  }

  std::string say(const std::string& app, const std::string& text, bool wants_view = false,
                  const std::string& language = "en", const std::string& call = "") {
    Decision decision;
    decision.resolved_query = decision.query = text;
    decision.language = language;
    decision.target = {"app", app};
    if (asked && is_answer) decision.add_signal("awaiting_answered");
    if (asked) session.awaiting = Awaiting{AwaitKind::Choose, asked->text, asked->options, "", ""};
    const std::string id = call.empty() ? "c" + std::to_string(++turns) : call;
    const auto turn = host->run(decision, session, id, wants_view);
    if (!turn) return "no such app";
    session.active_app = turn->active_app;
    session.app_state = turn->app_state;
    if (!turn->list.empty()) session.results = turn->list;
    asked = turn->ask;
    session.awaiting.reset();
    is_answer = false;
    return turn->text;
  }
  std::string answer(const std::string& app, const std::string& text) {
    is_answer = true;
    return say(app, text);
  }
  std::string trip(const std::string& text, const std::string& language = "en") {
    return say("trip_planner", text, false, language);
  }
  std::string look(const std::string& text, const std::string& language = "en") {
    return say("trip_planner", text, true, language);
  }
  std::optional<Ask> asked;
  bool is_answer = false;  // the next message answers what was asked
};

TEST_F(AppHostTest, ATripFromItsStartToItsEnd) {
  EXPECT_EQ(trip("Help me plan a trip to Tokyo"),
            "A trip to Tokyo. Tell me the places you want to see.");
  EXPECT_EQ(trip("add Senso-ji in Asakusa for the morning"), "Added Senso-ji. 1 on the list.");
  EXPECT_EQ(trip("Sage add Bar Mood, Tokyo Tower and Meiji Shrine"),
            "Added Bar Mood, Tokyo Tower, Meiji Shrine. 4 on the list.");
  EXPECT_EQ(trip("rate Tokyo Tower 4.5 stars"), "Tokyo Tower: 4.5★.");
  EXPECT_EQ(trip("mark it visited"), "Tokyo Tower: visited.");
  EXPECT_EQ(look("what's left?"),
            "3 of 4:\n1. Senso-ji (morning, Asakusa)\n2. Bar Mood\n3. Meiji Shrine");
  EXPECT_EQ(trip("remove the second one"), "Removed Bar Mood. 3 left on the list.");
  EXPECT_EQ(look("what do we have in Asakusa?"), "1 of 3:\n1. Senso-ji (morning, Asakusa)");
  EXPECT_EQ(look("what do we have in Shibuya?"), "Nothing on the list fits.");
  EXPECT_EQ(look("give me a recap").substr(0, 29), "The plan so far, 3 places:\n1.");
  EXPECT_EQ(trip("done"), "The trip is finished. Have a good one!");
  EXPECT_EQ(session.active_app, "");
}

TEST_F(AppHostTest, OtherLanguagesActAlike) {
  EXPECT_EQ(trip("planeemos un viaje a Lima", "es"), "Un viaje a Lima. Dime qué lugares quieren ver.");
  EXPECT_EQ(trip("agrega Miraflores y Barranco", "es"),
            "Agregado: Miraflores, Barranco. Hay 2 en la lista.");
  EXPECT_EQ(trip("quita Barranco", "es"), "Quitado: Barranco. Quedan 1.");
  EXPECT_EQ(trip("adiciona o Museu Larco na lista", "pt"), "Adicionado: Museu Larco. São 2 na lista.");
  EXPECT_EQ(trip("marca o Museu Larco como visitado", "pt"), "Museu Larco: visitado.");
  EXPECT_EQ(trip("添加故宫和长城", "zh"), "已添加故宫, 长城。清单上有4个。");
  EXPECT_EQ(trip("把长城删掉", "zh"), "已删除长城。还剩3个。");
  EXPECT_EQ(trip("给故宫打5分", "zh"), "故宫：5★。");
  EXPECT_EQ(trip("deshaz", "es"), "Deshecho.");
  EXPECT_EQ(trip("agrega la Giralda por la mañana", "es"), "Agregado: la Giralda. Hay 4 en la lista.");
  EXPECT_EQ(trip("márcala como visitada", "es"), "la Giralda: visitado.");
  EXPECT_EQ(trip("ponle 5 estrellas", "es"), "la Giralda: 5★.");
  EXPECT_EQ(look("¿qué tenemos por la mañana?", "es"), "1 de 4:\n1. la Giralda (mañana, visitado, 5★)");
}

TEST_F(AppHostTest, APronounIsTheLastThingTouched) {
  trip("plan a trip to Rome");
  trip("add the Pantheon and the Forum");
  EXPECT_EQ(trip("delete that"), "Removed the Forum. 1 left on the list.");
  EXPECT_EQ(trip("delete that"), "Not on the list: that.");
}

TEST_F(AppHostTest, SeveralThatFitAreAskedAbout) {
  trip("plan a trip to Tokyo");
  trip("add Ueno Park and Yoyogi Park");
  const std::string before = session.app_state;
  EXPECT_EQ(trip("remove the park"), "Which one do you mean by \"the park\"?");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->options, (std::vector<std::string>{"Ueno Park", "Yoyogi Park"}));
  EXPECT_EQ(host->state("trip_planner", session.app_state), host->state("trip_planner", before));
  EXPECT_EQ(answer("trip_planner", "the second one"), "Removed Yoyogi Park. 1 left on the list.");
}

TEST_F(AppHostTest, WhatIsMissingIsAskedForAndFilledIn) {
  trip("plan a trip to Tokyo");
  trip("add Tokyo Tower");
  EXPECT_EQ(trip("rate Tokyo Tower"), "How many stars?");
  EXPECT_EQ(answer("trip_planner", "4.5"), "Tokyo Tower: 4.5★.");
  EXPECT_EQ(trip("rate it"), "How many stars?");
  EXPECT_EQ(answer("trip_planner", "add Ueno Park"), "Added Ueno Park. 2 on the list.");
}

TEST_F(AppHostTest, AnAppThatIsOpenedAgainGoesOnAndANewOneCanBeUndone) {
  trip("plan a trip to Tokyo");
  trip("add Ueno Park");
  say("bill_split", "split the bill between Ana and Bo");
  EXPECT_EQ(trip("back to the trip planner"), "Back to the trip.\n1 places:\n1. Ueno Park");
  EXPECT_EQ(session.active_app, "trip_planner");
  EXPECT_EQ(trip("plan a trip to Paris"), "A trip to Paris. Tell me the places you want to see.");
  EXPECT_EQ(look("show the list"), "The list is empty.");
  EXPECT_EQ(trip("undo"), "Undone.");
  EXPECT_EQ(look("show the list"), "1 places:\n1. Ueno Park");
}

TEST_F(AppHostTest, WhatNobodyUsesIsForgotten) {
  trip("plan a trip to Tokyo");
  trip("add Ueno Park");
  say("poll", "create a poll: pizza or sushi");
  clock->advance(std::chrono::hours(169));  // a poll lives a week, a trip longer
  trip("back to the trip planner");
  EXPECT_TRUE(host->state("poll", session.app_state).empty());
  EXPECT_EQ(host->state("trip_planner", session.app_state).at("items").as_array().size(), 1U);
}

TEST_F(AppHostTest, ATaskIsNotedInTheSameBreathAsItsList) {
  EXPECT_EQ(say("todo_list", "remind me to call mom"), "Noted: call mom. 1 on the list.");
  EXPECT_EQ(say("todo_list", "add milk and eggs to my list"), "Noted: milk, eggs. 3 on the list.");
  EXPECT_EQ(say("todo_list", "mark milk as done"), "milk: done.");
  EXPECT_EQ(say("todo_list", "what's left?", true), "2 of 3:\n1. call mom\n2. eggs");
  EXPECT_EQ(say("todo_list", "recuérdame comprar pan", false, "es"),
            "Apuntado: comprar pan. Hay 4 en la lista.");
  EXPECT_EQ(say("todo_list", "me lembra de pagar a conta", false, "pt"),
            "Anotado: pagar a conta. São 5 na lista.");
  EXPECT_EQ(say("todo_list", "提醒我交房租", false, "zh"), "已记下：交房租。清单上有6项。");
}

TEST_F(AppHostTest, APollCountsVotes) {
  EXPECT_EQ(say("poll", "create a poll: pizza, sushi or tacos"),
            "A poll: pizza, sushi, tacos. Say \"I vote for …\".");
  EXPECT_EQ(say("poll", "I vote for sushi"), "One more for sushi.");
  EXPECT_EQ(say("poll", "voto por sushi", false, "es"), "Un voto más para sushi.");
  EXPECT_EQ(say("poll", "vote for tacos"), "One more for tacos.");
  EXPECT_EQ(say("poll", "results", true), "3 options:\n1. sushi (2)\n2. tacos (1)\n3. pizza");
  EXPECT_EQ(say("poll", "undo"), "Undone.");
  EXPECT_EQ(say("poll", "who's winning?", true), "3 options:\n1. sushi (2)\n2. pizza\n3. tacos");
  EXPECT_EQ(say("poll", "close the poll"), "The poll is closed.");
}

TEST_F(AppHostTest, UndoTakesBackTheLastCallAndReplayGivesTheSameState) {
  trip("plan a trip to Tokyo");
  trip("add A, B and C");
  const auto before = host->state("trip_planner", session.app_state);
  trip("remove all of them");
  EXPECT_EQ(host->state("trip_planner", session.app_state).at("items").as_array().size(), 0U);
  EXPECT_EQ(trip("undo"), "Undone.");
  EXPECT_EQ(host->state("trip_planner", session.app_state), before);
  trip("undo");
  trip("undo");
  EXPECT_EQ(trip("undo"), "There is nothing to undo.");
}

TEST_F(AppHostTest, TheSameCallTwiceHappensOnce) {
  trip("plan a trip to Tokyo");
  say("trip_planner", "add Ueno Park", false, "en", "again");
  const std::string once = session.app_state;
  say("trip_planner", "add Yoyogi Park", false, "en", "again");
  EXPECT_EQ(session.app_state, once);
}

TEST_F(AppHostTest, WhatIsNotUnderstoodChangesNothing) {
  trip("plan a trip to Tokyo");
  const std::string before = session.app_state;
  EXPECT_NE(trip("frobnicate the list").find("did not understand"), std::string::npos);
  EXPECT_EQ(session.app_state, before);
}

TEST_F(AppHostTest, TwoAppsLiveSideBySide) {
  trip("plan a trip to Tokyo");
  trip("add Ueno Park");
  say("bill_split", "let's split the bill between Ana, Bo and me");
  EXPECT_EQ(session.active_app, "bill_split");
  EXPECT_EQ(say("bill_split", "Ana paid $30 for dinner"), "Noted: Ana paid $30 for dinner.");
  EXPECT_EQ(say("bill_split", "I paid 12 for the taxi between Bo and me"),
            "Noted: you paid $12 for the taxi.");
  EXPECT_EQ(say("bill_split", "who owes what?", true), "Bo → Ana: $16\nyou → Ana: $4");
  EXPECT_EQ(say("bill_split", "done"), "The bill is closed.");
  EXPECT_EQ(host->state("trip_planner", session.app_state).at("items").as_array().size(), 1U);
}

TEST_F(AppHostTest, CentsAreNeverLost) {
  say("bill_split", "split the bill between Ana, Bo and Cy");
  say("bill_split", "Ana paid 10 for pizza");
  EXPECT_EQ(say("bill_split", "who owes what?", true), "Bo → Ana: 3.33\nCy → Ana: 3.33");
}

// ---- an app in another program --------------------------------------------------------------------

AppManifest remote_app() {
  AppManifest app;
  app.name = "notes";
  app.handler = AppHandlerKind::Http;
  app.url = "http://127.0.0.1:1/app";
  app.key = "secret";
  return app;
}

HttpResponse answered(int status, std::string body) {
  return {{status, {}}, std::move(body)};
}

TEST(HttpAppTest, TheBodyIsSignedAndTheAnswerTyped) {
  auto http = std::make_shared<FakeHttpClient>(std::vector<HttpResult<HttpResponse>>{
      answered(200, R"({"text":"noted","events":[{"type":"noted","set":{"notes":{"a":1}}}]})")});
  HttpApp app(http, std::make_shared<FakeClock>());
  const auto reply = app.handle(remote_app(), {"c1", "add", {}, {}, "note a", "en"}, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "noted");
  const HttpRequest sent = http->requests().at(0);
  EXPECT_EQ(sent.headers.at(2).value, app_signature("secret", sent.headers.at(1).value, sent.body));
  boost::json::object state;
  app.apply()(reply->events.at(0), state);
  EXPECT_EQ(state.at("notes").at("a").as_int64(), 1);
}

TEST(HttpAppTest, AFailedCallIsTriedOnceMoreWithTheSameId) {
  auto http = std::make_shared<FakeHttpClient>(
      std::vector<HttpResult<HttpResponse>>{answered(503, ""), answered(200, R"({"text":"ok"})")});
  HttpApp app(http, std::make_shared<FakeClock>());
  EXPECT_TRUE(app.handle(remote_app(), {"c1", "add", {}, {}, "x", "en"}, {}));
  ASSERT_EQ(http->requests().size(), 2U);
  EXPECT_EQ(http->requests()[0].body, http->requests()[1].body);
}

TEST(HttpAppTest, ALiarIsNotBelieved) {
  for (const char* body :
       {"", "[]", "{}", R"({"text":1})", R"({"text":"a","events":[{"type":"x"}]})",
        R"({"text":"a","events":[{"type":"undone","set":{"of":1}}]})", R"({"text":"a","events":{}})",
        R"({"text":"a","finished":"yes"})", R"({"text":"a","ask":[]})"}) {
    EXPECT_FALSE(read_app_reply(body)) << body;
  }
  auto http = std::make_shared<FakeHttpClient>(
      std::vector<HttpResult<HttpResponse>>{answered(404, "no"), answered(200, R"({"text":"ok"})")});
  HttpApp app(http, std::make_shared<FakeClock>());
  EXPECT_FALSE(app.handle(remote_app(), {"c1", "add", {}, {}, "x", "en"}, {}));
  EXPECT_EQ(http->requests().size(), 1U);
}

// ---- the log ---------------------------------------------------------------------------------------

void count_up(const AppEvent&, boost::json::object& state) {
  state["n"] = (state.contains("n") ? state["n"].as_int64() : 0) + 1;
}

TEST(AppLogTest, ALongLogIsFoldedAndKeepsItsState) {
  AppLog log;
  for (int i = 0; i < 1000; ++i) log.add("c" + std::to_string(i), {{0, "", "x", {}}}, count_up);
  EXPECT_EQ(log.state(count_up).at("n").as_int64(), 1000);
  EXPECT_LE(log.events().size(), AppLog::kMaxEvents);
  const auto again = AppLog::from_json(log.to_json());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->state(count_up), log.state(count_up));
}

TEST(AppLogTest, WhatIsNoLogIsRefused) {
  for (const char* text : {"1", "{}", R"({"events":[1],"base":{},"next":1})",
                           R"({"events":[{"n":1}],"base":{},"next":1})"}) {
    EXPECT_EQ(AppLog::from_json(boost::json::parse(text)).error().code, ErrorCode::Corrupt) << text;
  }
}

}  // namespace
}  // namespace signalbox

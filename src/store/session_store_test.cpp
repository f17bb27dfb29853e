// What every session store keeps, whatever it is made of. A store is one row of stores().

#include "context/session_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "store/memory_sessions.h"
#include "store/redis_sessions.h"
#include "store/redis_single.h"
#include "store/sqlite_sessions.h"
#include "test/fakes/redis_server.h"

namespace signalbox {
namespace {

constexpr Duration kBudget = std::chrono::seconds(5);

struct Made {
  std::shared_ptr<SessionStore> store;  // empty: what it needs is not installed
  std::string skipped;
};

struct StoreCase {
  const char* name;
  std::function<Made(std::shared_ptr<FakeClock> clock, std::chrono::milliseconds lifetime)> make;
};

Made make_memory(std::shared_ptr<FakeClock> clock, std::chrono::milliseconds lifetime) {
  MemorySessionOptions options;
  options.lifetime = lifetime;
  return {std::make_shared<MemorySessionStore>(options, std::move(clock)), ""};
}

// Every test has a file of its own, removed when the next one begins.
Made make_sqlite(std::shared_ptr<FakeClock> clock, std::chrono::milliseconds lifetime) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("signalbox-store-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  auto store =
      SqliteSessionStore::open((folder / "sessions.db").string(), {lifetime}, std::move(clock));
  EXPECT_TRUE(store) << store.error().message;
  if (!store) return {};
  return {*std::move(store), ""};
}

// One server for all tests; each begins with it empty.
Made make_redis(std::shared_ptr<FakeClock>, std::chrono::milliseconds lifetime) {
  if (!RedisServer::is_installed()) return {nullptr, "redis-server is not installed"};
  static RedisServer server;
  auto commands = std::make_unique<RedisSingle>(server.address(), std::make_shared<SteadyClock>());
  commands->write("", {"FLUSHALL"}, kBudget);
  return {
      std::make_shared<RedisSessionStore>(std::move(commands), "redis", RedisSessionOptions{lifetime}),
      ""};
}

std::vector<StoreCase> stores() {
  return {{"memory", make_memory}, {"sqlite", make_sqlite}, {"redis", make_redis}};
}

class SessionStoreTest : public testing::TestWithParam<StoreCase> {
 protected:
  void SetUp() override {
    clock->set_wall(
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()));
    Made made = GetParam().make(clock, std::chrono::hours(1));
    if (!made.store) GTEST_SKIP() << made.skipped;
    store = made.store;
  }
  Session fresh(const std::string& message) const {
    Session session;
    session.created = session.touched = clock->wall();
    session.add_message("user", message);
    return session;
  }
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  std::shared_ptr<SessionStore> store;
};

TEST_P(SessionStoreTest, WhatWasSavedComesBackWhole) {
  Session session = fresh("¿y en mayo? 好");
  session.add_message("assistant", std::string("a\0b\n\"quoted\"", 12));
  session.profile = "assistant";
  session.add_intent("RETRIEVAL", "how do I open a file");
  session.active_app = "trip_planner";
  session.app_state = R"({"items":[1,2]})";
  session.awaiting =
      Awaiting{AwaitKind::Choose, "Which?", {"A", "B"}, "delete it", "DELETE_DATA", "[]"};
  session.passed_over = 2;
  session.evidence = {{"attachment", Presence::Unknown}, {"sql", Presence::Present}};
  session.results = {"one.md", "two.md"};
  session.route = "RETRIEVAL";
  session.model = {"main", "qwen3:1.7b"};
  Plan plan;
  plan.query_type = "exact";
  plan.complexity = "complex";
  plan.sub_questions = {{"what is it", "it"}};
  plan.suggested_tools = {"grep_search"};
  plan.grep_keywords = {"it"};
  plan.tool_calls = {{"1", "grep_search", {{"keywords", "it"}}, {"0"}}};
  session.plan = plan;
  ASSERT_EQ(*store->save("s", session, kBudget), SaveOutcome::Saved);

  auto loaded = store->load("s", kBudget);
  ASSERT_TRUE(loaded && *loaded);
  const Session& back = **loaded;
  ASSERT_EQ(back.messages.size(), 2U);
  EXPECT_EQ(back.messages[0].content, "¿y en mayo? 好");
  EXPECT_EQ(back.messages[1].role, "assistant");
  EXPECT_EQ(back.messages[1].content, session.messages[1].content);
  EXPECT_EQ(back.profile, "assistant");
  ASSERT_EQ(back.intents.size(), 1U);
  EXPECT_EQ(back.intents[0].topic, "how do I open a file");
  EXPECT_EQ(back.active_app, "trip_planner");
  EXPECT_EQ(back.app_state, R"({"items":[1,2]})");
  ASSERT_TRUE(back.awaiting);
  EXPECT_EQ(back.awaiting->kind, AwaitKind::Choose);
  EXPECT_EQ(back.awaiting->options, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(back.awaiting->query, "delete it");
  EXPECT_EQ(back.awaiting->route, "DELETE_DATA");
  EXPECT_EQ(back.passed_over, 2);
  EXPECT_EQ(back.evidence, session.evidence);
  EXPECT_EQ(back.results, session.results);
  EXPECT_EQ(back.route, "RETRIEVAL");
  EXPECT_EQ(back.model.slot, "main");
  EXPECT_EQ(back.model.name, "qwen3:1.7b");
  ASSERT_TRUE(back.plan);
  EXPECT_EQ(back.plan->sub_questions[0].search_keywords, "it");
  EXPECT_EQ(back.plan->tool_calls[0].arguments.at("keywords"), "it");
  EXPECT_EQ(back.plan->tool_calls[0].after, (std::vector<std::string>{"0"}));
  EXPECT_EQ(back.created, session.created);
  EXPECT_EQ(back.touched, session.touched);
  EXPECT_EQ(back.version, next_version(session));
}

TEST_P(SessionStoreTest, WhatWasNeverSavedIsNotThere) {
  EXPECT_FALSE((*store->load("nobody", kBudget)).has_value());
  EXPECT_FALSE(*store->erase("nobody", kBudget));
}

TEST_P(SessionStoreTest, TwoWritersOfOneVersionOnlyOneIsSaved) {
  ASSERT_EQ(*store->save("s", fresh("first"), kBudget), SaveOutcome::Saved);
  Session mine = **store->load("s", kBudget);
  Session theirs = mine;
  mine.add_message("user", "mine");
  theirs.add_message("user", "theirs");
  EXPECT_EQ(*store->save("s", theirs, kBudget), SaveOutcome::Saved);
  EXPECT_EQ(*store->save("s", mine, kBudget), SaveOutcome::Conflict);
  EXPECT_EQ((*store->load("s", kBudget))->messages.back().content, "theirs");
}

TEST_P(SessionStoreTest, TwoNewSessionsOfOneIdOnlyOneIsSaved) {
  EXPECT_EQ(*store->save("s", fresh("first"), kBudget), SaveOutcome::Saved);
  EXPECT_EQ(*store->save("s", fresh("second"), kBudget), SaveOutcome::Conflict);
}

TEST_P(SessionStoreTest, AnErasedSessionIsNotWrittenOver) {
  ASSERT_EQ(*store->save("s", fresh("first"), kBudget), SaveOutcome::Saved);
  const Session old = **store->load("s", kBudget);
  EXPECT_TRUE(*store->erase("s", kBudget));
  EXPECT_FALSE((*store->load("s", kBudget)).has_value());
  EXPECT_EQ(*store->save("s", old, kBudget), SaveOutcome::Conflict);
}

TEST_P(SessionStoreTest, CountsAndListsWhatItHolds) {
  for (const char* id : {"a", "b", "c"}) {
    ASSERT_EQ(*store->save(id, fresh(id), kBudget), SaveOutcome::Saved);
    clock->advance(std::chrono::seconds(1));
  }
  EXPECT_EQ(*store->count(kBudget), 3U);
  const auto all = *store->list(10, kBudget);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(store->list(2, kBudget)->size(), 2U);
}

TEST_P(SessionStoreTest, ManyThreadsOnOneSessionLoseNoTurn) {
  constexpr int kThreads = 4;
  constexpr int kTurns = 4;
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTurns; ++i) {
        const std::string turn = std::to_string(t) + "." + std::to_string(i);
        for (bool saved = false; !saved;) {
          auto found = store->load("s", kBudget);
          ASSERT_TRUE(found) << found.error().message;
          Session session = found->value_or(Session{});
          if (session.version == 0) session.created = clock->wall();
          session.touched = clock->wall();
          session.add_message("user", turn);
          auto outcome = store->save("s", session, kBudget);
          ASSERT_TRUE(outcome) << outcome.error().message;
          saved = *outcome == SaveOutcome::Saved;
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ((*store->load("s", kBudget))->messages.size(), std::size_t{kThreads * kTurns});
}

INSTANTIATE_TEST_SUITE_P(Stores, SessionStoreTest, testing::ValuesIn(stores()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace signalbox

// Redis for real: a server that comes and goes. redis_cluster_test.cpp has the cluster.

#include "store/redis_sessions.h"

#include <gtest/gtest.h>

#include "store/open_sessions.h"
#include "store/redis_single.h"
#include "test/fakes/redis_server.h"

namespace signalbox {
namespace {

constexpr Duration kBudget = std::chrono::seconds(2);

Session fresh() {
  Session session;
  session.created = session.touched = SteadyClock().wall();
  session.add_message("user", "hello");
  return session;
}

class RedisSessionsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
    server = std::make_unique<RedisServer>(std::vector<std::string>{"--appendonly", "yes"});
    const std::string address = "redis://127.0.0.1:" + std::to_string(server->port()) + "/3";
    store = open_sessions(address, std::chrono::hours(1))->store;
  }
  std::unique_ptr<RedisServer> server;
  std::shared_ptr<SessionStore> store;
};

TEST_F(RedisSessionsTest, AKeyLivesAsLongAsItsSession) {
  ASSERT_EQ(*store->save("s", fresh(), kBudget), SaveOutcome::Saved);
  RedisAddress address = server->address();
  address.database = 3;
  RedisNode node(address);
  const std::int64_t left = node.run({"PTTL", "signalbox:session:s"}, kBudget)->integer;
  EXPECT_GT(left, 3'500'000);
  EXPECT_LE(left, 3'600'000);
  node.run({"PEXPIRE", "signalbox:session:s", "0"}, kBudget);
  EXPECT_FALSE((*store->load("s", kBudget)).has_value());
}

TEST_F(RedisSessionsTest, TheSameChangeSentTwiceIsSavedOnce) {
  const Session session = fresh();
  EXPECT_EQ(*store->save("s", session, kBudget), SaveOutcome::Saved);
  EXPECT_EQ(*store->save("s", session, kBudget), SaveOutcome::Saved);
  EXPECT_EQ((*store->load("s", kBudget))->version, next_version(session));
}

TEST_F(RedisSessionsTest, ASessionSurvivesARestartAndSoDoesTheStore) {
  ASSERT_EQ(*store->save("s", fresh(), kBudget), SaveOutcome::Saved);
  server->stop();
  const auto gone = store->load("s", kBudget);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::Upstream);
  server->start();
  Result<std::optional<Session>> back = fail(ErrorCode::Upstream, "");
  for (int i = 0; i < 100 && !back; ++i) {  // the next attempt is due within two seconds
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    back = store->load("s", kBudget);
  }
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(back->has_value());
}

TEST_F(RedisSessionsTest, AServerThatHangsCostsTheBudgetOnceAndThenNothing) {
  ASSERT_EQ(*store->save("s", fresh(), kBudget), SaveOutcome::Saved);
  server->pause();
  const auto hung = store->load("s", std::chrono::milliseconds(50));
  ASSERT_FALSE(hung);
  EXPECT_EQ(hung.error().code, ErrorCode::Timeout);
  const auto next = store->load("s", std::chrono::hours(1));  // would hang the test if it waited
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().code, ErrorCode::Upstream);
  server->resume();
}

TEST_F(RedisSessionsTest, ACallerWithoutTimeDoesNotShutTheOthersOut) {
  ASSERT_EQ(*store->save("s", fresh(), kBudget), SaveOutcome::Saved);
  server->pause();
  EXPECT_FALSE(store->load("s", std::chrono::milliseconds(1)));
  server->resume();
  EXPECT_TRUE(store->load("s", kBudget));
}

TEST_F(RedisSessionsTest, WhatAnotherProgramKeepsUnderTheKeyIsCorrupt) {
  RedisAddress address = server->address();
  address.database = 3;
  RedisNode node(address);
  node.run({"SET", "signalbox:session:s", "hello"}, kBudget);
  EXPECT_EQ(store->load("s", kBudget).error().code, ErrorCode::Corrupt);
  node.run({"DEL", "signalbox:session:s"}, kBudget);
  node.run({"LPUSH", "signalbox:session:s", "hello"}, kBudget);
  EXPECT_EQ(store->load("s", kBudget).error().code, ErrorCode::Corrupt);
}

TEST(OpenSessions, AddressesOfTheFourFormsAndNoOther) {
  EXPECT_STREQ(open_sessions("memory")->store->kind(), "memory");
  EXPECT_STREQ(open_sessions("redis://localhost:6379/2")->store->kind(), "redis");
  EXPECT_STREQ(open_sessions("redis://[::1]:6379")->store->kind(), "redis");
  EXPECT_STREQ(open_sessions("redis-cluster://a:1,b:2")->store->kind(), "redis-cluster");
  for (const char* wrong : {"", "mem", "sqlite:", "redis://", "redis://h:0", "redis://h:x",
                            "redis://h/x", "redis-cluster://", "redis-cluster://a:1,", "http://h"}) {
    const auto opened = open_sessions(wrong);
    ASSERT_FALSE(opened) << wrong;
    EXPECT_EQ(opened.error().code, ErrorCode::InvalidInput);
  }
}

}  // namespace
}  // namespace signalbox

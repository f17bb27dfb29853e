// A cluster for real: keys on all servers, slots that move. pipeline/replicas_test.cpp kills a master.

#include "store/redis_cluster.h"

#include <gtest/gtest.h>

#include "store/open_sessions.h"
#include "test/fakes/redis_cluster_servers.h"

namespace signalbox {
namespace {

constexpr Duration kBudget = std::chrono::seconds(30);

Session saying(const std::string& text) {
  Session session;
  session.created = session.touched = SteadyClock().wall();
  session.add_message("user", text);
  return session;
}

TEST(RedisSlot, IsTheCrcOfTheKeyOrOfItsBraces) {
  EXPECT_EQ(redis_slot("123456789"), 0x31C3);
  EXPECT_EQ(redis_slot("{user1000}.following"), redis_slot("{user1000}.followers"));
  EXPECT_EQ(redis_slot("foo{}{bar}"), redis_slot("foo{}{bar}"));
  EXPECT_NE(redis_slot("foo{}{bar}"), redis_slot("bar"));
  EXPECT_EQ(redis_slot("foo{{bar}}zap"), redis_slot("{bar"));
}

class RedisClusterTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
  }
};

TEST_F(RedisClusterTest, ThreeServersShareTheSessionsAndASlotMayMove) {
  const RedisClusterServers cluster(0);
  ASSERT_TRUE(cluster.is_made);
  auto store = open_sessions(cluster.address())->store;
  for (int i = 0; i < 60; ++i)
    ASSERT_EQ(*store->save("s" + std::to_string(i), saying(std::to_string(i)), kBudget),
              SaveOutcome::Saved);
  EXPECT_EQ(*store->count(kBudget), 60U);
  for (const auto& server : cluster.servers) {
    RedisNode node(server->address());
    EXPECT_GT(node.run({"DBSIZE"}, kBudget)->integer, 5);
  }

  // The slot of s7 goes from its server to the next one: first half way (ASK), then for good (MOVED).
  const std::string key = "signalbox:session:s7";
  const std::string slot = std::to_string(redis_slot(key));
  std::size_t from = 0;
  while (RedisNode(cluster.servers[from]->address()).run({"EXISTS", key}, kBudget)->integer != 1)
    ++from;
  const std::size_t to = (from + 1) % 3;
  RedisNode source(cluster.servers[from]->address());
  RedisNode target(cluster.servers[to]->address());
  const std::string source_id = source.run({"CLUSTER", "MYID"}, kBudget)->text;
  const std::string target_id = target.run({"CLUSTER", "MYID"}, kBudget)->text;
  target.run({"CLUSTER", "SETSLOT", slot, "IMPORTING", source_id}, kBudget);
  source.run({"CLUSTER", "SETSLOT", slot, "MIGRATING", target_id}, kBudget);
  source.run({"MIGRATE", "127.0.0.1", std::to_string(cluster.servers[to]->port()), key, "0", "5000"},
             kBudget);
  Session session = **store->load("s7", kBudget);
  EXPECT_EQ(session.messages.at(0).content, "7");
  session.add_message("user", "half way");
  EXPECT_EQ(*store->save("s7", session, kBudget), SaveOutcome::Saved);
  for (const auto& server : cluster.servers)
    RedisNode(server->address()).run({"CLUSTER", "SETSLOT", slot, "NODE", target_id}, kBudget);
  EXPECT_EQ((*store->load("s7", kBudget))->messages.size(), 2U);
  EXPECT_EQ(target.run({"EXISTS", key}, kBudget)->integer, 1);
}

TEST_F(RedisClusterTest, AClusterThatIsGoneIsUpstreamAndThenFailsAtOnce) {
  RedisCluster cluster({{"127.0.0.1", 1, 0}}, std::make_shared<SteadyClock>());
  const auto first = cluster.read("k", {"GET", "k"}, std::chrono::milliseconds(100));
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, ErrorCode::Upstream);
  EXPECT_FALSE(cluster.read("k", {"GET", "k"}, std::chrono::hours(1)));  // waits for nothing
}

}  // namespace
}  // namespace signalbox

// Two replicas of the router on one Redis cluster, and one of its servers is killed in the middle of
// many conversations: no session is lost, and no message goes where it would not have gone.

#include <gtest/gtest.h>

#include "store/memory_sessions.h"
#include "store/open_sessions.h"
#include "test/fakes/profiles.h"
#include "test/fakes/redis_cluster_servers.h"

namespace signalbox {
namespace {

std::unique_ptr<Router> replica(std::shared_ptr<SessionStore> sessions) {
  RouterOptions options;
  options.sessions = std::move(sessions);
  return *Router::create(shipped("workspace"), std::move(options));
}

Decision say(const Router& router, int conversation, const std::string& query) {
  Request request;
  request.query = query;
  request.session_id = "conversation-" + std::to_string(conversation);
  request.deadline_ms = 60'000;  // a failover takes some seconds
  auto decision = router.route(request);
  EXPECT_TRUE(decision) << decision.error().message;
  return decision ? *decision : Decision{};
}

TEST(Replicas, AKilledServerLosesNoSessionAndNoRoute) {
  if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed";
  const RedisClusterServers cluster(1);
  ASSERT_TRUE(cluster.is_made);
  const auto one = replica(open_sessions(cluster.address())->store);
  const auto two = replica(open_sessions(cluster.address())->store);
  const auto alone = replica(std::make_shared<MemorySessionStore>());
  constexpr int kConversations = 30;
  const auto turn = [&](const Router& router, const std::string& query) {
    for (int i = 0; i < kConversations; ++i) {
      const Decision decision = say(router, i, query);
      const Decision expected = say(*alone, i, query);
      EXPECT_EQ(decision.route, expected.route) << query;
      EXPECT_EQ(decision.signals, expected.signals) << query;
      EXPECT_EQ(decision.ask.has_value(), expected.ask.has_value()) << query;
    }
  };
  turn(*one, "hmm");
  turn(*two, "show me all customers from May");
  cluster.servers[0]->kill();
  turn(*two, "no, cancel");  // answers what the first replica asked
  turn(*one, "hmm");
  turn(*two, "the first one");
  auto sessions = open_sessions(cluster.address())->store;
  for (int i = 0; i < kConversations; ++i) {
    const auto session = sessions->load("conversation-" + std::to_string(i), std::chrono::seconds(5));
    ASSERT_TRUE(session && *session);
    EXPECT_EQ((*session)->messages.size(), 5U);
  }
}

}  // namespace
}  // namespace signalbox

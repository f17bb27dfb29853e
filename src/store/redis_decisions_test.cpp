#include "store/redis_decisions.h"

#include <gtest/gtest.h>

#include "test/fakes/redis_server.h"

namespace signalbox {
namespace {

TEST(RedisDecisions, KeepsAndFindsUntilTheServerIsLostAndAfterItIsBack) {
  if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed here";
  RedisServer server;
  RedisDecisions decisions(server.address(), std::chrono::seconds(5));
  ASSERT_TRUE(decisions.put("key", std::string("a\0b", 3), std::chrono::seconds(60)));
  auto found = decisions.get("key");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(**found, std::string("a\0b", 3));
  EXPECT_EQ(*decisions.get("other"), std::nullopt);
  server.kill();
  EXPECT_FALSE(decisions.get("key"));
  EXPECT_FALSE(decisions.put("key", "x", std::chrono::seconds(60)));
}

TEST(RedisDecisions, ReadsAddresses) {
  const auto address = parse_redis_address("redis://cache.internal:6380/2");
  ASSERT_TRUE(address) << address.error().message;
  EXPECT_EQ(address->host, "cache.internal");
  EXPECT_EQ(address->port, 6380);
  EXPECT_EQ(address->database, 2);
  EXPECT_EQ(parse_redis_address("redis://localhost")->port, 6379);
  for (const char* wrong : {"http://x", "redis://", "redis://h:x", "redis://h:1/x", "redis://u@h"})
    EXPECT_FALSE(parse_redis_address(wrong)) << wrong;
}

}  // namespace
}  // namespace signalbox

#include "cache/open_cache.h"

#include <gtest/gtest.h>

#include "test/fakes/redis_server.h"

namespace signalbox {
namespace {

const OpenCache kShipped{SIGNALBOX_SOURCE_DIR "/profiles/common/cache.yaml", false, nullptr};

std::optional<CacheAnswer> find(DecisionCache& cache, const std::string& query, bool* lost = nullptr) {
  CacheQuestion question = cache.ask({}, {}, *normalize(query), "en");
  std::string note;
  auto answer = cache.find(question, note);
  if (lost) *lost = question.shared_failed;
  return answer;
}

void keep(DecisionCache& cache, const std::string& query) {
  Decision decision;
  decision.route = "A";
  decision.decided_by = DecidedBy::Llm;
  decision.resolved_query = query;
  decision.language = "en";
  CacheQuestion question = cache.ask({}, {}, *normalize(query), "en");
  cache.keep(question, decision);
}

TEST(OpenCache, TheProfileSwitchesItOff) {
  Profile profile;
  profile.cache.enabled = false;
  EXPECT_EQ(*open_cache(profile, kShipped), nullptr);
}

TEST(OpenCache, MistakesInTheSettingsAreTold) {
  Profile profile;
  profile.cache.redis = "http://somewhere";
  EXPECT_EQ(open_cache(profile, kShipped).error().code, ErrorCode::InvalidInput);
  profile.cache = {};
  profile.cache.words = "/no/such/words.yaml";
  EXPECT_EQ(open_cache(profile, kShipped).error().code, ErrorCode::NotFound);
}

TEST(OpenCache, WithoutItsWordsTheExactCacheStays) {
  auto cache = open_cache({}, {"/no/such/words.yaml", false, nullptr});
  ASSERT_TRUE(cache) << cache.error().message;
  keep(**cache, "cancel my order");
  EXPECT_TRUE(find(**cache, "cancel my order"));
  EXPECT_FALSE(find(**cache, "please cancel my order"));
}

TEST(OpenCache, TwoProcessesShareThroughRedisAndEachGoesOnWhenItIsLost) {
  if (!RedisServer::is_installed()) GTEST_SKIP() << "redis-server is not installed here";
  RedisServer server;
  Profile profile;
  profile.cache.redis = "redis://127.0.0.1:" + std::to_string(server.port());
  auto here = open_cache(profile, kShipped);
  auto there = open_cache(profile, kShipped);
  ASSERT_TRUE(here && there);
  keep(**here, "cancel my order");
  const auto answer = find(**there, "cancel my order");
  ASSERT_TRUE(answer);
  EXPECT_EQ((*there)->statistics().shared_hits, 1U);
  server.kill();
  bool lost = false;
  EXPECT_TRUE(find(**there, "cancel my order"));
  EXPECT_FALSE(find(**there, "delete my account", &lost));
  EXPECT_TRUE(lost);
}

}  // namespace
}  // namespace signalbox

#include "store/memory_sessions.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

class MemorySessionsTest : public testing::Test {
 protected:
  Session with_message(std::size_t bytes) const {
    Session session;
    session.created = session.touched = clock->wall();
    session.add_message("user", std::string(bytes, 'x'));
    return session;
  }
  bool has(MemorySessionStore& store, const std::string& id) const {
    return store.load(id, {})->has_value();
  }
  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
};

TEST_F(MemorySessionsTest, ASessionEndsWithItsLifetimeSinceTheLastTurn) {
  MemorySessionStore store({.lifetime = std::chrono::minutes(10)}, clock);
  ASSERT_EQ(*store.save("s", with_message(1), {}), SaveOutcome::Saved);
  clock->advance(std::chrono::minutes(9));
  ASSERT_TRUE(has(store, "s"));
  Session session = **store.load("s", {});
  session.touched = clock->wall();
  ASSERT_EQ(*store.save("s", session, {}), SaveOutcome::Saved);
  clock->advance(std::chrono::minutes(9));
  EXPECT_TRUE(has(store, "s"));
  clock->advance(std::chrono::minutes(1));
  EXPECT_EQ(*store.count({}), 0U);
  EXPECT_FALSE(has(store, "s"));
}

TEST_F(MemorySessionsTest, TheLeastLatelySavedLeaveWhenThereAreTooMany) {
  MemorySessionStore store({.max_sessions = 320}, clock);
  for (int i = 0; i < 1000; ++i) {
    Session session = with_message(10);
    ASSERT_EQ(*store.save("s" + std::to_string(i), session, {}), SaveOutcome::Saved);
    clock->advance(std::chrono::seconds(1));
  }
  EXPECT_LE(*store.count({}), 320U);
  EXPECT_GE(*store.count({}), 250U);
  EXPECT_TRUE(has(store, "s999"));
  EXPECT_FALSE(has(store, "s0"));
  EXPECT_EQ(store.list(1, {})->front().id, "s999");
}

TEST_F(MemorySessionsTest, BytesAreBoundedToo) {
  MemorySessionStore store({.max_sessions = 100'000, .max_bytes = 1 << 20}, clock);
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(*store.save("s" + std::to_string(i), with_message(8000), {}), SaveOutcome::Saved);
  EXPECT_LE(*store.count({}), 131U);
  EXPECT_GE(*store.count({}), 64U);
}

TEST_F(MemorySessionsTest, AnExpiredSessionIsReplacedByANewOne) {
  MemorySessionStore store({.lifetime = std::chrono::minutes(10)}, clock);
  ASSERT_EQ(*store.save("s", with_message(1), {}), SaveOutcome::Saved);
  clock->advance(std::chrono::minutes(10));
  EXPECT_EQ(*store.save("s", with_message(2), {}), SaveOutcome::Saved);
  EXPECT_EQ((*store.load("s", {}))->messages.size(), 1U);
}

}  // namespace
}  // namespace signalbox

#include "llm/circuit_breaker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace signalbox {
namespace {

using namespace std::chrono_literals;

class CircuitBreakerTest : public testing::Test {
 protected:
  void fail_times(int times) {
    for (int i = 0; i < times; ++i) {
      ASSERT_TRUE(breaker.try_enter());
      breaker.failed();
    }
  }

  std::shared_ptr<FakeClock> clock = std::make_shared<FakeClock>();
  CircuitBreaker breaker{{3, 10s, 2s, 5s}, clock};
};

TEST_F(CircuitBreakerTest, OpensAfterFailuresWithinTheWindow) {
  fail_times(2);
  clock->advance(11s);
  fail_times(2);
  EXPECT_EQ(breaker.state(), BreakerState::Closed) << "the first two are too old";
  fail_times(1);
  EXPECT_EQ(breaker.state(), BreakerState::Open);
  EXPECT_FALSE(breaker.try_enter());
}

TEST_F(CircuitBreakerTest, SuccessForgetsEarlierFailures) {
  fail_times(2);
  ASSERT_TRUE(breaker.try_enter());
  breaker.succeeded();
  fail_times(2);
  EXPECT_EQ(breaker.state(), BreakerState::Closed);
}

TEST_F(CircuitBreakerTest, OneProbeAtATimeDecidesAfterTheRest) {
  fail_times(3);
  clock->advance(2s);
  ASSERT_TRUE(breaker.try_enter());
  EXPECT_EQ(breaker.state(), BreakerState::HalfOpen);
  EXPECT_FALSE(breaker.try_enter()) << "the probe is under way";
  breaker.succeeded();
  EXPECT_EQ(breaker.state(), BreakerState::Closed);
  EXPECT_TRUE(breaker.try_enter());
}

TEST_F(CircuitBreakerTest, FailedProbeRestsTwiceAsLongUpToTheLongest) {
  fail_times(3);
  for (const auto rest : {2s, 4s, 5s, 5s}) {
    clock->advance(rest - 1ms);
    EXPECT_FALSE(breaker.try_enter());
    clock->advance(1ms);
    ASSERT_TRUE(breaker.try_enter());
    breaker.failed();
  }
}

TEST_F(CircuitBreakerTest, AbandonedProbeLetsTheNextOneTry) {
  fail_times(3);
  clock->advance(2s);
  ASSERT_TRUE(breaker.try_enter());
  breaker.abandoned();
  EXPECT_TRUE(breaker.try_enter());
}

TEST_F(CircuitBreakerTest, LateSuccessDoesNotCloseAnOpenBreaker) {
  ASSERT_TRUE(breaker.try_enter());
  fail_times(3);
  breaker.succeeded();
  EXPECT_EQ(breaker.state(), BreakerState::Open);
}

TEST_F(CircuitBreakerTest, ManyThreadsGetOneProbe) {
  fail_times(3);
  clock->advance(2s);
  std::atomic<int> entered{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&] { entered += breaker.try_enter() ? 1 : 0; });
  }
  EXPECT_EQ(entered, 1);
}

}  // namespace
}  // namespace signalbox

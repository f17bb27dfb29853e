// Whatever a model server does, every message gets a decision in time, and the trace says what failed.

#include <gtest/gtest.h>

#include "test/fakes/bad_model_server.h"
#include "test/fakes/profiles.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;

constexpr int kCalls = 84;  // twelve faults: a little over a thousand in all
constexpr int kThreads = 8;

class LlmFaultTest : public testing::TestWithParam<Fault> {};

TEST_P(LlmFaultTest, EveryMessageGetsADecisionInTime) {
  const FaultRun run = run_against(GetParam(), shipped("agents"), "something about the quarter", kCalls,
                                   kThreads, 100ms);
  EXPECT_EQ(run.decided, kCalls);
  EXPECT_EQ(run.asked, kCalls) << "the model was asked each time";
  EXPECT_EQ(run.believed, 0) << "and never believed";
  EXPECT_EQ(run.explained, kCalls) << "which the trace says";
  // A wide margin for a busy machine; the benchmark of the same name measures the real one.
  EXPECT_LT(run.late_ms.back(), 2000);
}

INSTANTIATE_TEST_SUITE_P(Faults, LlmFaultTest, testing::ValuesIn(kAllFaults), [](const auto& which) {
  return std::string("When_") + fault_name(which.param);
});

}  // namespace
}  // namespace signalbox

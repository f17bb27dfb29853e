#include "llm/call_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

namespace signalbox {
namespace {

TEST(CallPool, TasksRunSideBySide) {
  std::latch all_here(3);
  std::latch done(3);
  CallPool pool(3);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pool.submit([&] {
      all_here.arrive_and_wait();  // never passes unless all three run at once
      done.count_down();
    }));
  }
  done.wait();
}

TEST(CallPool, AFullOneRefusesAtOnce) {
  std::latch hold(1);
  std::latch begun(1);
  CallPool pool(1);
  ASSERT_TRUE(pool.submit([&] {
    begun.count_down();
    hold.wait();
  }));
  begun.wait();
  EXPECT_TRUE(pool.submit([] {}));   // waits
  EXPECT_FALSE(pool.submit([] {}));  // no room
  hold.count_down();
}

TEST(CallPool, ItsEndWaitsForWhatHasBegun) {
  std::atomic<bool> is_done = false;
  {
    std::latch begun(1);
    CallPool pool(2);
    ASSERT_TRUE(pool.submit([&] {
      begun.count_down();
      std::this_thread::yield();
      is_done = true;
    }));
    begun.wait();
  }
  EXPECT_TRUE(is_done);
}

TEST(CallPool, ThreadsServeManyTasks) {
  std::atomic<int> sum = 0;
  CallPool pool(2);
  for (int i = 0; i < 100; ++i) {
    while (!pool.submit([&] { ++sum; })) std::this_thread::yield();
  }
  while (sum < 100) std::this_thread::yield();
  EXPECT_EQ(sum, 100);
}

}  // namespace
}  // namespace signalbox

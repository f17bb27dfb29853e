#include "server/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace signalbox {
namespace {

using testing::HasSubstr;

TEST(Metrics, CountersOfAllThreadsAddUp) {
  Metrics metrics;
  const auto id = metrics.counter("hits_total", "Hits.", label("route", "A"));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) metrics.add(id);
      });
    }
  }
  EXPECT_EQ(metrics.text(),
            "# HELP hits_total Hits.\n# TYPE hits_total counter\nhits_total{route=\"A\"} 4000\n");
}

TEST(Metrics, TheSameNameAndLabelsAreTheSameSeries) {
  Metrics metrics;
  const auto id = metrics.counter("a_total", "A.", label("x", "1"));
  EXPECT_EQ(metrics.counter("a_total", "A.", label("x", "1")), id);
  EXPECT_NE(metrics.counter("a_total", "A.", label("x", "2")), id);
}

TEST(Metrics, AHistogramIsCumulativeAndInSeconds) {
  Metrics metrics;
  const auto id = metrics.histogram("time_seconds", "Time.");
  for (const std::int64_t us : {5, 10, 11, 40'000'000}) metrics.observe(id, us);
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("time_seconds_bucket{le=\"1e-05\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("time_seconds_bucket{le=\"2.5e-05\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("time_seconds_bucket{le=\"30\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("time_seconds_bucket{le=\"+Inf\"} 4\n"));
  EXPECT_THAT(text, HasSubstr("time_seconds_count 4\n"));
  EXPECT_THAT(text, HasSubstr("time_seconds_sum 40.000026\n"));
}

TEST(Metrics, SeriesOfOneNameStandTogetherUnderOneHeading) {
  Metrics metrics;
  metrics.counter("a_total", "A.", label("x", "1"));
  metrics.counter("b_total", "B.");
  metrics.counter("a_total", "A.", label("x", "2"));
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("a_total{x=\"1\"} 0\na_total{x=\"2\"} 0\n# HELP b_total"));
}

TEST(Metrics, ALabelCannotEndItsLine) {
  EXPECT_EQ(label("q", "a\"b\\c\nd", label("x", "1")), R"(x="1",q="a\"b\\c\nd")");
}

TEST(Metrics, TooManySeriesCountNowhere) {
  Metrics metrics;
  Metrics::Id id = 1;
  for (int i = 0; i < 20'000 && id != Metrics::kNone; ++i)
    id = metrics.histogram("h" + std::to_string(i % 7), "H.", label("n", std::to_string(i)));
  EXPECT_EQ(id, Metrics::kNone);
  metrics.observe(id, 1);
  metrics.add(id);
}

}  // namespace
}  // namespace signalbox

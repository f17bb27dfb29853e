#include "probe/retrieval_probe.h"

#include <gtest/gtest.h>

#include "test/fakes/fake_retriever.h"

namespace signalbox {
namespace {

using std::chrono::milliseconds;
constexpr Duration kAmple = std::chrono::seconds(20);

Passage passage(std::string id, double score) {
  Passage out;
  out.id = std::move(id);
  out.score = score;
  return out;
}

Probes probes(int deadline_ms = 10'000) {
  Probes out;
  out.retrieval = true;
  out.retrieval_deadline_ms = deadline_ms;
  return out;
}

TEST(RetrievalProbe, CountsThePassagesThatScoreHighEnough) {
  RetrievalProbe probe(std::make_shared<FakeRetriever>(
      std::vector<Passage>{passage("a", 0.9), passage("b", 0.65), passage("c", 0.64)}));
  const RetrievalFinding found = probe.start("q", probes(), kAmple).wait();
  EXPECT_EQ(found.presence, Presence::Present);
  EXPECT_EQ(found.hits, 2U);
  EXPECT_DOUBLE_EQ(found.least_score, 0.65);
}

TEST(RetrievalProbe, AsksForTheTopFive) {
  RetrievalProbe probe(std::make_shared<FakeRetriever>(std::vector<Passage>(9, passage("a", 0.8))));
  EXPECT_EQ(probe.start("q", probes(), kAmple).wait().hits, 5U);
}

TEST(RetrievalProbe, NothingGoodEnoughIsAbsent) {
  RetrievalProbe probe(std::make_shared<FakeRetriever>(std::vector<Passage>{passage("a", 0.2)}));
  EXPECT_EQ(probe.start("q", probes(), kAmple).wait().presence, Presence::Absent);
}

TEST(RetrievalProbe, AFailureOrALateAnswerIsUnknownNeverAbsent) {
  auto retriever = std::make_shared<FakeRetriever>(std::vector<Passage>{});
  retriever->is_down = true;
  RetrievalProbe failing(retriever);
  const RetrievalFinding failed = failing.start("q", probes(), kAmple).wait();
  EXPECT_EQ(failed.presence, Presence::Unknown);
  EXPECT_FALSE(failed.is_late);
  RetrievalProbe slow(
      std::make_shared<FakeRetriever>(std::vector<Passage>{passage("a", 0.9)}, milliseconds(300)));
  const RetrievalFinding late = slow.start("q", probes(5), kAmple).wait();
  EXPECT_EQ(late.presence, Presence::Unknown);
  EXPECT_TRUE(late.is_late);
}

TEST(RetrievalProbe, ARequestWithLittleTimeLeftWaitsNoLonger) {
  RetrievalProbe slow(
      std::make_shared<FakeRetriever>(std::vector<Passage>{passage("a", 0.9)}, milliseconds(300)));
  EXPECT_TRUE(slow.start("q", probes(), milliseconds(5)).wait().is_late);
}

}  // namespace
}  // namespace signalbox

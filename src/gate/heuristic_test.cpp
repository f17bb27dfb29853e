#include "gate/heuristic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

using testing::ElementsAre;

class HeuristicTest : public testing::Test {
 protected:
  void add(const std::string& route, double weight, const std::string& atom = "",
           const std::string& per = "", std::vector<std::string> signals = {}) {
    HeuristicScore score;
    score.route = route;
    score.weight = weight;
    score.per = per;
    score.signals = std::move(signals);
    if (!atom.empty()) {
      score.when.kind = Condition::Kind::Atom;
      score.when.atom = atom;
    }
    heuristic.scores.push_back(std::move(score));
  }
  HeuristicVerdict judge() {
    const Profile profile;
    const ProfileMatcher matcher = *ProfileMatcher::compile(profile);
    const Text text = *normalize("how much is it");
    Findings findings;
    matcher.find(text, findings);
    std::vector<CompiledCondition> conditions;
    for (const HeuristicScore& score : heuristic.scores)
      conditions.emplace_back(score.when, profile, matcher);
    return apply_heuristic(heuristic, conditions,
                           {profile, matcher, request, text, findings, decision});
  }
  Heuristic heuristic;
  Request request;
  Decision decision;
};

TEST_F(HeuristicTest, NothingThatHoldsMeansNoRoute) {
  add("analytics", 0.5, "signal.sql");
  const HeuristicVerdict verdict = judge();
  EXPECT_EQ(verdict.route, "");
  EXPECT_EQ(verdict.score, 0);
  EXPECT_TRUE(verdict.signals.empty());
}

TEST_F(HeuristicTest, WeightsOfARouteAddUpToOneAtMost) {
  decision.tables = {"orders"};
  decision.columns = {"total"};
  add("analytics", 0.6, "", "tables");
  add("analytics", 0.3, "", "columns");
  EXPECT_DOUBLE_EQ(judge().score, 0.9);
  decision.tables = {"orders", "customers"};
  EXPECT_EQ(judge().score, 1);
}

TEST_F(HeuristicTest, AWeightPerTableIsNothingWithoutOne) {
  add("analytics", 0.6, "", "tables", {"allowlisted"});
  const HeuristicVerdict verdict = judge();
  EXPECT_EQ(verdict.route, "");
  EXPECT_TRUE(verdict.signals.empty());
}

TEST_F(HeuristicTest, TheBestRouteComesFirstAndTheOthersInOrder) {
  add("triage", 0.2);
  add("commerce", 0.5);
  add("knowledge", 0.4);
  const HeuristicVerdict verdict = judge();
  EXPECT_EQ(verdict.route, "commerce");
  ASSERT_EQ(verdict.others.size(), 2U);
  EXPECT_EQ(verdict.others[0].route, "knowledge");
  EXPECT_EQ(verdict.others[1].route, "triage");
}

TEST_F(HeuristicTest, OfEqualRoutesTheFirstInTheFileWins) {
  add("knowledge", 0.5);
  add("analytics", 0.5);
  EXPECT_EQ(judge().route, "knowledge");
}

TEST_F(HeuristicTest, ANegativeWeightSpeaksAgainstARoute) {
  add("analytics", 0.5);
  add("analytics", -0.4, "question_mark");
  add("knowledge", 0.3);
  EXPECT_EQ(judge().route, "analytics");
  heuristic.scores[1].when.atom = "not question_mark";
  EXPECT_EQ(judge().route, "knowledge");
  heuristic.scores.pop_back();
  heuristic.scores[1].weight = -0.9;
  EXPECT_EQ(judge().route, "");
}

TEST_F(HeuristicTest, OnlyWhatHoldsLeavesItsSignals) {
  decision.signals = {"sql"};
  add("analytics", 0.5, "signal.sql", "", {"sql_intent"});
  add("commerce", 0.5, "signal.price", "", {"price_intent"});
  add("knowledge", 0.1, "", "", {"words"});
  EXPECT_THAT(judge().signals, ElementsAre("sql_intent", "words"));
}

}  // namespace
}  // namespace signalbox

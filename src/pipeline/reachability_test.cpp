#include "pipeline/reachability.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

Condition atom(std::string text) {
  Condition condition;
  condition.kind = Condition::Kind::Atom;
  condition.atom = std::move(text);
  return condition;
}

Condition group(Condition::Kind kind, std::vector<Condition> parts) {
  Condition condition;
  condition.kind = kind;
  condition.parts = std::move(parts);
  return condition;
}

class ReachabilityTest : public testing::Test {
 protected:
  ReachabilityTest() {
    profile.words = {{"a", {"one"}}, {"b", {"one", "two"}}};
    for (const char* name : {"X", "Y", "CHILD"}) {
      profile.routes.push_back({});
      profile.routes.back().name = name;
    }
    profile.routes.back().parent = "X";
  }
  Reach reach(const Condition& wanted, std::vector<Condition> earlier) {
    std::vector<const Condition*> list;
    for (const Condition& condition : earlier) list.push_back(&condition);
    return can_hold(profile, wanted, list);
  }
  Profile profile;
};

TEST_F(ReachabilityTest, ANarrowerRuleAfterAWiderOneNeverFires) {
  EXPECT_EQ(reach(atom("words.a"), {atom("words.a")}), Reach::Impossible);
  EXPECT_EQ(reach(atom("only.a"), {atom("words.a")}), Reach::Impossible);
  EXPECT_EQ(reach(atom("words.a"), {atom("only.a")}), Reach::Possible);
}

TEST_F(ReachabilityTest, AListInsideAnotherImpliesIt) {
  EXPECT_EQ(reach(atom("words.a"), {atom("words.b")}), Reach::Impossible);
  EXPECT_EQ(reach(atom("words.b"), {atom("words.a")}), Reach::Possible);
}

TEST_F(ReachabilityTest, SeveralEarlierRulesTogetherCanCoverOne) {
  const Condition both = atom("attachment");
  EXPECT_EQ(reach(both, {group(Condition::Kind::All, {atom("attachment"), atom("history")}),
                         group(Condition::Kind::All, {atom("attachment"), atom("not history")})}),
            Reach::Impossible);
  EXPECT_EQ(reach(both, {group(Condition::Kind::All, {atom("attachment"), atom("history")})}),
            Reach::Possible);
}

TEST_F(ReachabilityTest, ContradictionsCannotHold) {
  EXPECT_EQ(reach(group(Condition::Kind::All, {atom("route.X"), atom("route.Y")}), {}),
            Reach::Impossible);
  EXPECT_EQ(reach(group(Condition::Kind::All, {atom("route.X"), atom("route.CHILD")}), {}),
            Reach::Possible);
  EXPECT_EQ(reach(group(Condition::Kind::All, {atom("evidence.e"), atom("absent.e")}), {}),
            Reach::Impossible);
  EXPECT_EQ(reach(group(Condition::Kind::All, {atom("confidence>=0.8"), atom("confidence<0.8")}), {}),
            Reach::Impossible);
  EXPECT_EQ(reach(group(Condition::Kind::All, {atom("confidence>=0.8"), atom("confidence<=0.8")}), {}),
            Reach::Possible);
}

TEST_F(ReachabilityTest, NumbersBelowACoveredBoundNeverFire) {
  EXPECT_EQ(reach(atom("length<=2"), {atom("length<=5")}), Reach::Impossible);
  EXPECT_EQ(reach(atom("length<=5"), {atom("length<=2")}), Reach::Possible);
}

}  // namespace
}  // namespace signalbox

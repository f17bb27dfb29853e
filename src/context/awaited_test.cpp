#include "context/awaited.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

using Kind = AwaitedAnswer::Kind;

class AwaitedTest : public testing::Test {
 protected:
  AwaitedTest() {
    profile.words = {{"yes", {"yes", "sim", "go ahead"}},
                     {"no", {"no", "não"}},
                     {"cancel", {"cancel"}},
                     {"ordinal_1", {"the first", "first one"}},
                     {"ordinal_2", {"the second (one|)", "la segunda"}},
                     {"all_parts", {"both"}},
                     {"ordinal_last", {"the last one"}},
                     {"question_word", {"what", "which"}},
                     {"filler", {"please", "thanks"}}};
    Route labelled;
    labelled.name = "ALPHA";
    labelled.labels = {{"en", "your account"}, {"es", "tu cuenta"}};
    profile.routes.push_back(labelled);
    matcher = *ProfileMatcher::compile(profile);
  }
  // "yes A", "all A", "no", "option B", "value", or "-" for no answer.
  std::string read(AwaitKind kind, std::string_view message) {
    return read({kind, "which one?", {"ALPHA", "Beta Two", "gamma"}}, message);
  }
  // Parts of a message with several wishes.
  std::string read_parts(std::vector<std::string> parts, std::string_view message) {
    return read({AwaitKind::Choose, "all or one?", std::move(parts), "the message"}, message);
  }
  std::string read(const Awaiting& awaiting, std::string_view message) {
    const Text text = *normalize(message);
    Findings findings;
    matcher.find(text, findings);
    const auto answer = read_awaited(awaiting, text, profile, matcher, findings);
    if (!answer) return "-";
    if (answer->kind == Kind::Yes) return "yes " + answer->option;
    if (answer->kind == Kind::All) return "all " + answer->option;
    if (answer->kind == Kind::Option) return "option " + answer->option;
    return answer->kind == Kind::No ? "no" : "value";
  }
  Profile profile;
  ProfileMatcher matcher;
};

TEST_F(AwaitedTest, YesTakesTheFirstOptionAndNoNone) {
  EXPECT_EQ(read(AwaitKind::Confirm, "Yes, please!"), "yes ALPHA");
  EXPECT_EQ(read(AwaitKind::Confirm, "go ahead"), "yes ALPHA");
  EXPECT_EQ(read(AwaitKind::Confirm, "NÃO"), "no");
}

TEST_F(AwaitedTest, AYesWithMoreToItIsANewMessage) {
  EXPECT_EQ(read(AwaitKind::Confirm, "yes but delete the others too"), "-");
  EXPECT_EQ(read(AwaitKind::Confirm, "what does that mean?"), "-");
}

TEST_F(AwaitedTest, AYesToPartsOfTheMessageMeansAllOfThem) {
  EXPECT_EQ(read_parts({"add a task", "delete the note"}, "yes"), "all add a task");
  EXPECT_EQ(read_parts({"add a task", "delete the note"}, "both, please"), "all add a task");
  EXPECT_EQ(read_parts({"add a task", "delete the note"}, "the second one"), "option delete the note");
  EXPECT_EQ(read_parts({"ALPHA", "delete the note"}, "both"), "-") << "a route is no part";
}

TEST_F(AwaitedTest, ANumberPicksByPosition) {
  EXPECT_EQ(read(AwaitKind::Choose, "2"), "option Beta Two");
  EXPECT_EQ(read(AwaitKind::Choose, "option 3, please"), "option gamma");
  EXPECT_EQ(read(AwaitKind::Clarify, "1."), "option ALPHA");
}

TEST_F(AwaitedTest, ANumberThatPicksNothingIsNoAnswer) {
  EXPECT_EQ(read(AwaitKind::Choose, "0"), "-");
  EXPECT_EQ(read(AwaitKind::Choose, "4"), "-");
  EXPECT_EQ(read(AwaitKind::Choose, "99999999999999999999999"), "-");
  EXPECT_EQ(read(AwaitKind::Choose, "1 or 2"), "-");
  EXPECT_EQ(read(AwaitKind::Choose, "show me the 2 orders of today"), "-");
}

TEST_F(AwaitedTest, TheOptionsOwnWordsPickByName) {
  EXPECT_EQ(read(AwaitKind::Choose, "beta two"), "option Beta Two");
  EXPECT_EQ(read(AwaitKind::Clarify, "GAMMA"), "option gamma");
  EXPECT_EQ(read(AwaitKind::Clarify, "something else"), "-");
}

TEST_F(AwaitedTest, AMissingValueIsWhateverIsSaid) {
  EXPECT_EQ(read(AwaitKind::Fill, "next Tuesday at noon"), "value");
  EXPECT_EQ(read(AwaitKind::Fill, "which dates are free?"), "-");
  EXPECT_EQ(read(AwaitKind::Fill, "有哪些日期？"), "-");
  EXPECT_EQ(read(AwaitKind::Fill, "cancel please"), "no");
  EXPECT_EQ(read(AwaitKind::Fill, "no"), "no");
}

TEST_F(AwaitedTest, AnOrdinalPicksByPosition) {
  EXPECT_EQ(read(AwaitKind::Choose, "the first, please"), "option ALPHA");
  EXPECT_EQ(read(AwaitKind::Clarify, "La segunda"), "option Beta Two");
  EXPECT_EQ(read(AwaitKind::Choose, "the last one"), "option gamma");
  EXPECT_EQ(read(AwaitKind::Choose, "the first thing I need is a table"), "-");
}

TEST_F(AwaitedTest, ARouteIsAlsoCalledByItsLabel) {
  EXPECT_EQ(read(AwaitKind::Clarify, "Your account"), "option ALPHA");
  EXPECT_EQ(read(AwaitKind::Clarify, "tu cuenta, please"), "option ALPHA");
  EXPECT_EQ(read(AwaitKind::Clarify, "please delete your account"), "-");
}

TEST_F(AwaitedTest, ANoOrACancelClosesEveryKind) {
  for (const AwaitKind kind :
       {AwaitKind::Confirm, AwaitKind::Clarify, AwaitKind::Choose, AwaitKind::Fill}) {
    EXPECT_EQ(read(kind, "no, cancel"), "no");
    EXPECT_EQ(read(kind, "Cancel!"), "no");
  }
  EXPECT_EQ(read(AwaitKind::Confirm, "yes no"), "-");
}

TEST_F(AwaitedTest, AMissingValueIsNoQuestionWithoutItsMarkEither) {
  EXPECT_EQ(read(AwaitKind::Fill, "which dates are free"), "-");
}

TEST_F(AwaitedTest, SilenceAnswersNothing) {
  for (const AwaitKind kind :
       {AwaitKind::Confirm, AwaitKind::Clarify, AwaitKind::Choose, AwaitKind::Fill}) {
    EXPECT_EQ(read(kind, ""), "-");
    EXPECT_EQ(read(kind, "…"), "-");
  }
}

}  // namespace
}  // namespace signalbox

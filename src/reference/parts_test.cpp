#include <gtest/gtest.h>

#include "profile/shared_lists.h"
#include "reference/antecedent.h"
#include "reference/items.h"
#include "reference/self_correction.h"
#include "reference/substitute.h"

namespace signalbox::reference {
namespace {

const ReferenceWords& words() {
  static const auto opened = ReferenceWords::open(
      shared_lists(SIGNALBOX_SOURCE_DIR "/profiles/common/references.yaml")->words);
  EXPECT_TRUE(opened) << opened.error().message;
  return **opened;
}

std::shared_ptr<const Utterance> read(std::string_view text) {
  return std::make_shared<const Utterance>(text, words());
}

TEST(ReferenceWords, AreCompiledOnceForTheSameLists) {
  const ReferenceWords::Lists lists = {{"ref_pronoun", {"it"}}};
  EXPECT_EQ(*ReferenceWords::open(lists), *ReferenceWords::open(lists));
  const auto bad = ReferenceWords::open({{"ref_pronoun", {"(it"}}});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("words.ref_pronoun"), std::string::npos);
}

TEST(Items, ANumberedOrBulletedListGivesItsLines) {
  EXPECT_EQ(list_items("Here you are:\n1. Dune\n2. Solaris (1961)\n3. Ubik\nEnjoy!"),
            (std::vector<std::string>{"Dune", "Solaris", "Ubik"}));
  EXPECT_EQ(list_items("- a\n- b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(list_items("1, /docs/mexico_payments.md (filename match)"),
            (std::vector<std::string>{"/docs/mexico_payments.md"}));
}

TEST(Items, ProseHasNone) {
  EXPECT_TRUE(list_items("In 2019 there were 3 of them.").empty());
  EXPECT_TRUE(list_items("- a lonely dash").empty());
  EXPECT_TRUE(list_items("").empty());
}

TEST(Pointers, AConjunctionPointsAtNothing) {
  for (const char* text :
       {"I know that the earth is round", "a restaurant that serves Thai food",
        "is it raining in London?", "what time is it in Tokyo?", "plans for this week"}) {
    EXPECT_TRUE(find_pointers(Utterance(text, words())).empty()) << text;
  }
}

TEST(Pointers, ANameInTheMessageExplainsItsPronoun) {
  const auto explained = find_pointers(Utterance("When did Luther publish his theses?", words()));
  ASSERT_EQ(explained.size(), 1U);
  EXPECT_TRUE(explained[0].is_explained);
  const auto free = find_pointers(Utterance("When did he publish the theses?", words()));
  ASSERT_EQ(free.size(), 1U);
  EXPECT_FALSE(free[0].is_explained);
}

TEST(Candidates, TheSubjectOfAnAnswerComesFirst) {
  std::vector<EarlierMessage> talk;
  talk.push_back({0, true, read("Find me a place in Cambridge")});
  talk.push_back({1, false, read("Golden Wok is a restaurant near Histon Road.")});
  const auto found = find_candidates(talk);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().text, "Golden Wok");
  EXPECT_EQ(found.front().index, 1U);
}

TEST(Questions, LoseWhatOnlyAsks) {
  EXPECT_EQ(noun_of(Utterance("show me the sales by region", words())), "sales by region");
  EXPECT_EQ(asked_for(Utterance("There are two. What price range would you like?", words())),
            "price range would you like");
  EXPECT_EQ(asked_for(Utterance("There are two.", words())), "");
}

TEST(Substitute, PutsLikeForLike) {
  const auto put = [](const char* question, const char* message) {
    const Utterance said(message, words());
    return substitute(Utterance(question, words()), said, fragment_of(said)).value_or("");
  };
  EXPECT_EQ(put("What were the sales in April?", "and in May?"), "What were the sales in May?");
  EXPECT_EQ(put("Show revenue by month", "by region"), "Show revenue by region");
  EXPECT_EQ(put("Is the flight to Oslo late?", "what about Bergen?"), "Is the flight to Bergen late?");
  EXPECT_EQ(put("Show revenue in April", "and for Texas?"), "Show revenue in April for Texas");
  EXPECT_EQ(put("Show revenue in April", "the margin?"), "") << "nothing of its kind";
  EXPECT_EQ(put("Show revenue in April", "sort by region"), "") << "more than its last words";
}

TEST(SelfCorrection, KeepsWhatWasMeant) {
  const auto cleaned = [](const char* text) {
    return without_repairs(Utterance(text, words()), words()).value_or("(as it is)");
  };
  EXPECT_EQ(cleaned("Who wrote, no sorry, who directed Alien?"), "Who directed Alien?");
  EXPECT_EQ(cleaned("What is the capital of France, I mean Germany?"),
            "What is the capital of Germany?");
  EXPECT_EQ(cleaned("Is there no way to cancel?"), "(as it is)");
  EXPECT_EQ(cleaned("Quanto vendemos no Natal passado?"), "(as it is)");
  EXPECT_EQ(cleaned(""), "(as it is)");
}

}  // namespace
}  // namespace signalbox::reference

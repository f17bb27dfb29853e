#include "model/intents.h"

#include <gtest/gtest.h>

#include <fstream>

#include "model/train_data.h"

namespace signalbox {
namespace {

const std::vector<std::string> kSeparators = {",", ".", "and", "and then", "y", "，", "然后"};

std::vector<std::string> atoms(std::string_view text) {
  const auto cuts = find_cuts(text, kSeparators);
  std::vector<std::string> out;
  for (std::size_t i = 0; i <= cuts.size(); ++i) out.emplace_back(stretch_text(text, cuts, {i, i}));
  return out;
}

using Atoms = std::vector<std::string>;

TEST(Cuts, ConjunctionsMatchWholeWordsOnly) {
  EXPECT_EQ(atoms("play jazz and book a table"), (Atoms{"play jazz", "book a table"}));
  EXPECT_EQ(atoms("sand in the bandage"), Atoms{"sand in the bandage"});
  EXPECT_EQ(atoms("Play it AND stop"), (Atoms{"Play it", "stop"}));
}

TEST(Cuts, LongestSeparatorIsTaken) {
  EXPECT_EQ(atoms("open it and then close it"), (Atoms{"open it", "close it"}));
}

TEST(Cuts, NeighbouringSeparatorsAreOneCut) {
  EXPECT_EQ(atoms("open it, and then close it"), (Atoms{"open it", "close it"}));
}

TEST(Cuts, MarksInsideNumbersDoNotCut) {
  EXPECT_EQ(atoms("transfer 1,000.50 euros"), Atoms{"transfer 1,000.50 euros"});
  EXPECT_EQ(atoms("pay 10. send mail"), (Atoms{"pay 10", "send mail"}));
}

TEST(Cuts, EdgesDoNotCut) {
  EXPECT_EQ(atoms("and now what."), Atoms{"and now what."});
  EXPECT_EQ(atoms(", hello"), Atoms{", hello"});
  EXPECT_TRUE(find_cuts("", kSeparators).empty());
}

TEST(Cuts, ScriptsWithoutSpacesAreCutAnywhere) {
  EXPECT_EQ(atoms("打开灯，然后播放音乐"), (Atoms{"打开灯", "播放音乐"}));
}

TEST(Cuts, AreBounded) {
  std::string text = "a";
  for (int i = 0; i < 100; ++i) text += ", b";
  EXPECT_EQ(find_cuts(text, kSeparators).size(), kMostCuts);
}

StretchGuess from_table(const std::vector<std::vector<StretchGuess>>& table, Stretch stretch) {
  return table[stretch.first][stretch.last];
}

TEST(BestSplit, TwoSurePartsBeatADoubtfulWhole) {
  const std::vector<std::vector<StretchGuess>> table = {{{1, 0.9}, {1, 0.5}}, {{}, {2, 0.9}}};
  const auto split = best_split(2, [&](Stretch s) { return from_table(table, s); });
  ASSERT_EQ(split.size(), 2U);
  EXPECT_EQ(split[0].last, 0U);
  EXPECT_EQ(split[1].first, 1U);
}

TEST(BestSplit, ASureWholeBeatsAWeakPart) {
  const std::vector<std::vector<StretchGuess>> table = {{{1, 0.9}, {1, 0.95}}, {{}, {2, 0.3}}};
  EXPECT_EQ(best_split(2, [&](Stretch s) { return from_table(table, s); }).size(), 1U);
}

TEST(BestSplit, NeighboursOfOneRouteStayTogether) {
  const std::vector<std::vector<StretchGuess>> table = {{{1, 0.9}, {1, 0.6}}, {{}, {1, 0.9}}};
  EXPECT_EQ(best_split(2, [&](Stretch s) { return from_table(table, s); }).size(), 1U);
}

TEST(BestSplit, AtomsJoinWhereTogetherTheyMeanMore) {
  // "add salt" "pepper to my list" "play jazz": the first two are one intent.
  const std::vector<std::vector<StretchGuess>> table = {
      {{1, 0.6}, {1, 0.95}, {1, 0.4}}, {{}, {2, 0.3}, {2, 0.3}}, {{}, {}, {3, 0.9}}};
  const auto split = best_split(3, [&](Stretch s) { return from_table(table, s); });
  ASSERT_EQ(split.size(), 2U);
  EXPECT_EQ(split[0].last, 1U);
  EXPECT_EQ(split[1].first, 2U);
}

TEST(BestSplit, AMessageThatMustBeSplitIsNotLeftWhole) {
  const std::vector<std::vector<StretchGuess>> table = {{{1, 0.9}, {1, 0.95}}, {{}, {2, 0.3}}};
  const auto guess = [&](Stretch s) { return from_table(table, s); };
  EXPECT_EQ(best_split(2, guess, WholeMessage::MustSplit).size(), 2U);
}

TEST(BestSplit, PartsOfOneRouteCannotBeSplitEvenWhenTheyMust) {
  const std::vector<std::vector<StretchGuess>> table = {{{1, 0.9}, {1, 0.6}}, {{}, {1, 0.9}}};
  const auto guess = [&](Stretch s) { return from_table(table, s); };
  EXPECT_TRUE(best_split(2, guess, WholeMessage::MustSplit).empty());
}

TEST(Separators, ShippedListCutsInSixLanguages) {
  const auto data = read_train_data(SIGNALBOX_SOURCE_DIR "/models");
  ASSERT_TRUE(data) << data.error().message;
  for (const char* text : {"stop the music and call mum", "apaga la luz y luego llama a Ana",
                           "abre a porta e depois fecha", "ouvre la porte et puis ferme",
                           "mach das Licht an und dann aus", "打开灯然后播放音乐"}) {
    EXPECT_EQ(find_cuts(text, data->separators).size(), 1U) << text;
  }
}

TEST(Certainty, WithoutRowsTheProductOfThePartsIsBelieved) {
  const std::vector<StretchGuess> parts = {{0, 0.9}, {1, 0.8}};
  EXPECT_NEAR(default_certainty_model().probability(certainty_features(parts, 0.6)), 0.72, 1e-9);
  EXPECT_NEAR(default_certainty_model().probability(certainty_features(parts, 0.99)), 0.72, 1e-9);
}

}  // namespace
}  // namespace signalbox

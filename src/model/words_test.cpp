#include "model/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> split(std::string_view text) {
  Words words;
  split_words(text, words);
  std::vector<std::string> list;
  for (const Word& word : words.list) list.emplace_back(words.view(word));
  return list;
}

std::vector<std::string> pairs(std::string_view text) {
  Words words;
  split_words(text, words);
  std::vector<std::string> list;
  for (const Word& word : words.list) list.emplace_back(words.pair(word));
  return list;
}

TEST(Words, LettersAndDigitsRunTogetherAndPunctuationStandsAlone) {
  EXPECT_THAT(split("Set 2 alarms, 5pm!"), ElementsAre("set", "2", "alarms", ",", "5pm", "!"));
  EXPECT_THAT(split("snake_case"), ElementsAre("snake", "_", "case"));
}

TEST(Words, TextWithoutWordsIsEmpty) {
  EXPECT_THAT(split(""), IsEmpty());
  EXPECT_THAT(split(" \t\r\n\x7f\x01"), IsEmpty());
  EXPECT_THAT(split("\u3000\u00a0\u2028"), IsEmpty());
}

TEST(Words, AnApostropheBetweenLettersStaysInside) {
  EXPECT_THAT(split("Don't"), ElementsAre("don't"));
  EXPECT_THAT(split("rock'n'roll 90's o'1 '' a'"),
              ElementsAre("rock'n'roll", "90", "'", "s", "o", "'", "1", "'", "'", "a", "'"));
}

TEST(Words, TheTypographicApostropheIsReadAsThePlainOne) {
  EXPECT_THAT(split("’tis l’été"), ElementsAre("'", "tis", "l'été"));
}

TEST(Words, CompatibilityFormsAndCaseAreFolded) {
  EXPECT_THAT(split("ＦＵＬＬ ﬁne ½ ÉTÉ"), ElementsAre("full", "fine", "1", "⁄", "2", "été"));
  EXPECT_THAT(split("e\u0301te\u0301"), ElementsAre("été"));
  EXPECT_THAT(split("ΟΔΟΣ İ"), ElementsAre("οδος", "i\u0307"));
}

TEST(Words, MarksThatDoNotComposeStayInTheirWord) {
  EXPECT_THAT(split("x\u0323y हिन्दी"), ElementsAre("x\u0323y", "हिन्दी"));
}

TEST(Words, ScriptsWithoutSpacesGiveOneWordACharacter) {
  EXPECT_THAT(split("你好 world、ไทย"), ElementsAre("你", "好", "world", "、", "ไ", "ท", "ย"));
  EXPECT_THAT(pairs("你好 world、ไทย"), ElementsAre("你好", "", "", "", "ไท", "ทย", ""));
}

TEST(Words, APairEndsAtASpaceAndAtALetter) {
  EXPECT_THAT(pairs("你 好a"), ElementsAre("", "", ""));
  EXPECT_THAT(split("漢'字 a'漢"), ElementsAre("漢", "'", "字", "a", "'", "漢"));
}

TEST(Words, EmojiAndTheirModifiersAreWordsOfTheirOwn) {
  EXPECT_THAT(split("ok🙂👍🏽"), ElementsAre("ok", "🙂", "👍", "🏽"));
}

TEST(Words, BadUtf8IsReadAsReplacementCharacters) {
  EXPECT_THAT(split("a\xff b\xe4\xbd"), ElementsAre("a", "\ufffd", "b", "\ufffd"));
  EXPECT_THAT(split("\xed\xa0\x80z").back(), "z");
}

TEST(Words, AsciiTextGivesTheSameWordsWithAndWithoutIcu) {
  std::mt19937 random(11);
  const std::string common = "abcXYZ019 '',.-_\t";
  Words fast, slow;
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 40, ' ');
    for (char& c : text) {
      c = random() % 4 == 0 ? static_cast<char>(random() % 128) : common[random() % common.size()];
    }
    split_words(text, fast);
    split_words_with_icu(text, slow);
    ASSERT_EQ(fast.text, slow.text);
    ASSERT_EQ(fast.list.size(), slow.list.size()) << text;
    for (std::size_t i = 0; i < fast.list.size(); ++i) {
      ASSERT_EQ(fast.view(fast.list[i]), slow.view(slow.list[i])) << text;
      ASSERT_EQ(fast.list[i].kind, slow.list[i].kind) << text;
    }
  }
}

TEST(Words, OneExpandingCharacterMayGrowToEighteen) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "\ufdfa";  // NFKC makes four words of it
  EXPECT_EQ(split(text).size(), 500U * 3 + 1);
}

TEST(Words, ALongTextIsGivenBackByTrim) {
  Words words;
  split_words(std::string(300'000, 'a'), words);
  words.trim();
  EXPECT_LT(words.text.capacity(), 1000U);
  split_words("short", words);
  const std::size_t capacity = words.list.capacity();
  words.trim();
  EXPECT_EQ(words.list.capacity(), capacity);
}

}  // namespace
}  // namespace signalbox

#include "fastpath/phrase_matcher.h"

#include <gtest/gtest.h>

#include "normalize/fold.h"

namespace signalbox {
namespace {

class PhraseMatcherTest : public testing::Test {
 protected:
  void compile(std::vector<std::vector<std::string>> lists) {
    auto compiled = PhraseMatcher::compile(lists);
    ASSERT_TRUE(compiled) << compiled.error().message;
    matcher = *std::move(compiled);
  }
  bool finds(std::size_t list, std::string_view text) {
    const std::string folded = fold(text);
    std::vector<Token> tokens;
    tokenize(folded, tokens);
    matcher.find(folded, tokens, hits);
    return hits.has(list);
  }
  PhraseMatcher matcher;
  PhraseHits hits;
};

TEST_F(PhraseMatcherTest, MatchesWholeWordsOnly) {
  compile({{"oi", "error", "merge"}});
  EXPECT_TRUE(finds(0, "Oi!"));
  EXPECT_FALSE(finds(0, "foi"));
  EXPECT_FALSE(finds(0, "terrorism"));
  EXPECT_FALSE(finds(0, "it emerged"));
}

TEST_F(PhraseMatcherTest, IgnoresCaseAccentsAndWidth) {
  compile({{"relatório"}});
  EXPECT_TRUE(finds(0, "RELATORIO"));
  EXPECT_TRUE(finds(0, "o relato\xCC\x81rio"));
  EXPECT_TRUE(finds(0, "ｒｅｌａｔｏｒｉｏ"));
}

TEST_F(PhraseMatcherTest, AlternativesMayBeEmpty) {
  compile({{"what (is|are) (the|) left"}});
  EXPECT_TRUE(finds(0, "what is left"));
  EXPECT_TRUE(finds(0, "what are the left ones"));
  EXPECT_FALSE(finds(0, "what left"));
}

TEST_F(PhraseMatcherTest, GapReachesFourWordsAndStopsAtASentence) {
  compile({{"split ... bill"}});
  EXPECT_TRUE(finds(0, "split bill"));
  EXPECT_TRUE(finds(0, "let's split this very long bill"));
  EXPECT_FALSE(finds(0, "split it among one two three bill"));
  EXPECT_FALSE(finds(0, "we split. The bill came"));
}

TEST_F(PhraseMatcherTest, NumberAndPrefixStandForWords) {
  compile({{"last # days"}, {"cancel*"}});
  EXPECT_TRUE(finds(0, "the last 30 days"));
  EXPECT_FALSE(finds(0, "the last few days"));
  EXPECT_TRUE(finds(1, "cancelled"));
  EXPECT_FALSE(finds(1, "can cel"));
}

TEST_F(PhraseMatcherTest, ChineseNeedsNoSpaces) {
  compile({{"谢谢"}, {"把...删"}});
  EXPECT_TRUE(finds(0, "好的，谢谢你"));
  EXPECT_TRUE(finds(1, "把这个地方删掉"));
  EXPECT_FALSE(finds(1, "删掉把手"));
}

TEST_F(PhraseMatcherTest, KnowsWhetherAListIsAllThereIs) {
  compile({{"hello", "good morning"}, {"there", "please"}});
  finds(0, "Hello there!");
  EXPECT_TRUE(hits.covers_all(0, 1));
  EXPECT_FALSE(hits.covers_all(0, kNoList));
  finds(0, "hello, how many orders");
  EXPECT_FALSE(hits.covers_all(0, 1));
  EXPECT_TRUE(hits.starts_with(0, kNoList));
  finds(0, "please, hello");
  EXPECT_TRUE(hits.starts_with(0, 1));
  EXPECT_FALSE(hits.starts_with(0, kNoList));
  finds(0, "say please, hello");
  EXPECT_FALSE(hits.starts_with(0, 1));
  finds(0, "there please");
  EXPECT_FALSE(hits.covers_all(0, 1));
}

TEST_F(PhraseMatcherTest, StaysBoundedOnLongText) {
  compile({{"a ... b"}});
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "a ";
  EXPECT_FALSE(finds(0, text));
  EXPECT_EQ(hits.words, 4000U);
}

TEST(Phrase, RefusesWhatCannotMatch) {
  EXPECT_FALSE(parse_phrase("what (is left"));
  EXPECT_FALSE(parse_phrase("... left"));
  EXPECT_FALSE(parse_phrase("(|)"));
  EXPECT_FALSE(parse_phrase("!?"));
  EXPECT_FALSE(parse_phrase("(a|b|c|d) (a|b|c|d) (a|b|c|d) (a|b|c|d) (a|b|c|d) (a|b|c|d) (a|b|c|d)"));
}

}  // namespace
}  // namespace signalbox

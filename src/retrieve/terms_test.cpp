#include "retrieve/terms.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace signalbox {
namespace {

std::vector<Term> terms(std::string_view text) {
  std::vector<Term> out;
  append_terms(text, out);
  return out;
}

bool shares(std::string_view a, std::string_view b) {
  const auto first = terms(a);
  const auto second = terms(b);
  return std::any_of(first.begin(), first.end(), [&](Term t) {
    return std::find(second.begin(), second.end(), t) != second.end();
  });
}

TEST(TermsTest, FormsOfAWordAreOneTerm) {
  EXPECT_EQ(terms("Connections"), terms("connected"));
  EXPECT_EQ(terms("FACTURACIÓN"), terms("facturacion"));
  EXPECT_NE(terms("limit"), terms("time"));
}

TEST(TermsTest, AnIdentifierIsAlsoItsParts) {
  EXPECT_TRUE(shares("max_retries", "retries"));
  EXPECT_TRUE(shares("maxRetries", "retries"));
  EXPECT_TRUE(shares("MaxRetries", "max_retries"));
  EXPECT_FALSE(shares("retries", "tries"));
}

TEST(TermsTest, AnApostropheEndsAWord) {
  EXPECT_TRUE(shares("l'eau", "eau"));
  EXPECT_TRUE(shares("qu’il", "il"));
  EXPECT_EQ(terms("the index's size").at(1), terms("index").front());
  EXPECT_EQ(terms("don't"), terms("don’t"));
}

TEST(TermsTest, ChineseGivesPairs) {
  EXPECT_EQ(terms("索引管线").size(), 3U);
  EXPECT_TRUE(shares("索引管线", "管线是什么"));
  EXPECT_FALSE(shares("索引管线", "管道索求"));
  EXPECT_EQ(terms("茶").size(), 1U);
}

TEST(TermsTest, PunctuationAndEmojiAreNoTerms) {
  EXPECT_TRUE(terms("… — 。！🙂 ()").empty());
  EXPECT_EQ(terms("covid-19").size(), 2U);
}

TEST(TermsTest, BrokenBytesDoNoHarm) {
  EXPECT_EQ(terms("abc \xFF\xC3 abc").front(), terms("abc").front());
}

}  // namespace
}  // namespace signalbox

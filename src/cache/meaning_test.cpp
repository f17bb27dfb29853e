#include "cache/meaning.h"

#include <gtest/gtest.h>

#include "normalize/language.h"

namespace signalbox {
namespace {

const MeaningWords& shipped_words() {
  static const MeaningWords words =
      *MeaningWords::load(SIGNALBOX_SOURCE_DIR "/profiles/common/cache.yaml");
  return words;
}

Meaning read(const std::string& text, const char* language = "en") {
  return read_meaning(*normalize(text), language, shipped_words());
}

std::string verdict(const char* a, const char* b, const char* language = "en") {
  const auto why = why_not_same(read(a, language), read(b, language));
  return why ? refusal_name(*why) : "same";
}

TEST(Meaning, CourtesyAndGrammarFallAway) {
  EXPECT_EQ(verdict("cancel my order", "Could you please cancel the order?"), "same");
  EXPECT_EQ(verdict("show me all open orders", "list every open order"), "same");
  EXPECT_EQ(verdict("cancela mi pedido", "por favor, quiero cancelar el pedido", "es"), "same");
  EXPECT_EQ(verdict("mostre as vendas por região", "vendas por região", "pt"), "same");
}

TEST(Meaning, AParticleBelongsToItsVerb) {
  EXPECT_EQ(verdict("turn the lights off in the hall", "switch off the lights in the hall"), "same");
  EXPECT_EQ(verdict("turn the lights off", "turn the lights on"), "polarity");
}

TEST(Meaning, WhatFollowsOfStandsBeforeItsWord) {
  EXPECT_EQ(verdict("status of order 12", "order 12 status"), "same");
  EXPECT_EQ(verdict("dim the kitchen lights", "dim the lights in the kitchen"), "same");
}

TEST(Meaning, EachClassOfDifferenceIsRefusedByItsName) {
  EXPECT_EQ(verdict("send the report", "do not send the report"), "negation");
  EXPECT_EQ(verdict("show order 12", "show order 21"), "number");
  EXPECT_EQ(verdict("search for \"red car\"", "search for \"red cat\""), "quote");
  EXPECT_EQ(verdict("a parcel of 5 kg", "a parcel of 5 lb"), "unit");
  EXPECT_EQ(verdict("set the price to 5 euros", "set the price to $5"), "currency");
  EXPECT_EQ(verdict("sales in March", "sales in May"), "date");
  EXPECT_EQ(verdict("files before step one", "files after step one"), "direction");
  EXPECT_EQ(verdict("the cheapest room", "the most expensive room"), "comparative");
  EXPECT_EQ(verdict("enable the alarm", "disable the alarm"), "polarity");
  EXPECT_EQ(verdict("mail Ann about it", "mail Bob about it"), "name");
  EXPECT_EQ(verdict("how do I cancel an order", "cancel the order"), "act");
  EXPECT_EQ(verdict("order a pizza", "order a burger"), "words");
  EXPECT_EQ(verdict("flights from Rome to Oslo", "flights from Oslo to Rome"), "order");
  EXPECT_EQ(why_not_same(read("mi pedido", "es"), read("meu pedido", "pt")), Refusal::Language);
}

TEST(Meaning, SignsThatAreNoWordsCount) {
  EXPECT_NE(verdict("price > 20", "price < 20"), "same");
  EXPECT_NE(verdict("a parser in C", "a parser in C++"), "same");
}

TEST(Meaning, ANumberIsTheSameInWordsAndWithItsUnitOnEitherSide) {
  EXPECT_EQ(verdict("set the price to $20", "change the price to twenty dollars"), "words");
  EXPECT_EQ(verdict("change the price to $20", "update the price to twenty dollars"), "same");
  EXPECT_EQ(verdict("transfira 1.000 reais", "transfira R$ 1000", "pt"), "same");
}

TEST(Meaning, TenseCountsWhereNoDateSaysWhen) {
  EXPECT_EQ(verdict("who is the owner", "who was the owner"), "date");
  EXPECT_EQ(verdict("what was the total revenue last week", "total revenue last week"), "same");
}

TEST(Meaning, CapitalsTellANameFromGrammar) {
  EXPECT_NE(verdict("sales in the US", "sales in us"), "same");
}

TEST(Meaning, WhatCannotBeReadIsNeverTheSame) {
  EXPECT_EQ(verdict("bonjour", "bonjour", "fr"), "unreadable");
  EXPECT_EQ(verdict("please", "please"), "unreadable");
  EXPECT_FALSE(read(std::string(400, 'a') + " " + std::string(70, ' ')).language.empty());
  std::string longer;
  for (int i = 0; i < 70; ++i) longer += "word ";
  EXPECT_FALSE(read(longer).is_readable);
}

TEST(MeaningWords, SayWhereAFileIsWrong) {
  const auto words = MeaningWords::parse("en: [a, b]\n", "w.yaml");
  ASSERT_FALSE(words);
  EXPECT_NE(words.error().message.find("w.yaml:1:5"), std::string::npos) << words.error().message;
  EXPECT_FALSE(MeaningWords::parse("- a\n", "w.yaml"));
  EXPECT_FALSE(MeaningWords::load("/no/such/file.yaml"));
}

}  // namespace
}  // namespace signalbox

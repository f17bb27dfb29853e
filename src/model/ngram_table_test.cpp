#include "model/ngram_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace signalbox {
namespace {

NgramTable table_of(std::string_view text) {
  std::vector<NgramKey> keys;
  extract_ngrams(text, keys);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<float> idf(keys.size(), 1.5F);
  return {std::move(keys), std::move(idf)};
}

float length(const NgramRow& row, const NgramTable& table, bool words) {
  float sum = 0;
  for (const NgramValue& entry : row.values) {
    if (is_word_key(table.keys()[entry.index]) == words) sum += entry.value * entry.value;
  }
  return std::sqrt(sum);
}

TEST(NgramTable, BothKindsHaveUnitLength) {
  const NgramTable table = table_of("turn on the kitchen lights");
  NgramRow row;
  table.read("turn the lights on on on", row);
  EXPECT_NEAR(length(row, table, true), 1.0F, 1e-5F);
  EXPECT_NEAR(length(row, table, false), 1.0F, 1e-5F);
}

TEST(NgramTable, UnknownNgramsOnlyLowerTheCoverage) {
  const NgramTable table = table_of("turn on the kitchen lights");
  NgramRow known;
  NgramRow mixed;
  NgramRow unknown;
  table.read("turn on the kitchen lights", known);
  table.read("turn on the zebra", mixed);
  table.read("xyzzy", unknown);
  EXPECT_FLOAT_EQ(known.coverage, 1.0F);
  EXPECT_GT(mixed.coverage, 0.2F);
  EXPECT_LT(mixed.coverage, 0.9F);
  EXPECT_TRUE(unknown.values.empty());
  EXPECT_FLOAT_EQ(unknown.coverage, 0.0F);
}

TEST(NgramTable, EmptyTableKnowsNothing) {
  const NgramTable table;
  NgramRow row;
  table.read("anything", row);
  EXPECT_TRUE(row.values.empty());
  EXPECT_EQ(table.find(12345), NgramTable::kMissing);
}

TEST(NgramTable, ReadingWithoutAFoldForgetsWhatOnlyItHas) {
  const NgramTable table = table_of("alpha beta");
  std::vector<std::uint16_t> folds(table.size(), 0b01);  // all in fold 0 alone
  NgramRow row;
  table.read_without("alpha beta", folds, 0, row);
  EXPECT_TRUE(row.values.empty());
  table.read_without("alpha beta", folds, 1, row);
  EXPECT_EQ(row.values.size(), table.size());
  table.read_without("alpha beta", folds, -1, row);
  EXPECT_EQ(row.values.size(), table.size());
}

}  // namespace
}  // namespace signalbox

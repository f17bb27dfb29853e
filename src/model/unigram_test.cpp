#include "model/unigram.h"

#include <gtest/gtest.h>

namespace signalbox::tokenizer {
namespace {

using Ids = std::vector<std::int64_t>;

Ids ids_of(UnigramOptions options, std::string_view text) {
  Ids ids;
  Unigram::create(std::move(options))->tokenize(text, ids);
  return ids;
}

UnigramOptions letters() {
  UnigramOptions options;
  options.pieces = {{"<unk>", 0}, {"a", -1}, {"b", -1}, {"ab", -3}, {"abc", -2}, {"c", -4}, {"é", -1}};
  options.unknown_id = 0;
  return options;
}

TEST(UnigramTest, TheBestSumWinsNotTheLongestPiece) {
  EXPECT_EQ(ids_of(letters(), "ab"), (Ids{1, 2}));  // -1 -1 beats -3
  EXPECT_EQ(ids_of(letters(), "abc"), Ids{4});      // -2 beats -1 -1 -4
  EXPECT_EQ(ids_of(letters(), ""), Ids{});
}

TEST(UnigramTest, UnknownLettersSideBySideAreOneToken) {
  EXPECT_EQ(ids_of(letters(), "axyb"), (Ids{1, 0, 2}));
  EXPECT_EQ(ids_of(letters(), "日本é語"), (Ids{0, 6, 0}));
}

TEST(UnigramTest, WithoutAnUnknownTokenUnknownLettersAreLeftOut) {
  UnigramOptions options = letters();
  options.unknown_id.reset();
  EXPECT_EQ(ids_of(std::move(options), "axb"), (Ids{1, 2}));
}

TEST(UnigramTest, BytesStandInWhereTheModelHasThem) {
  UnigramOptions options = letters();
  options.has_byte_fallback = true;
  options.pieces.push_back({"<0xC3>", -9});
  options.pieces.push_back({"<0xA8>", -9});
  EXPECT_EQ(ids_of(options, "aè"), (Ids{1, 7, 8}));
  EXPECT_EQ(ids_of(options, "aê"), (Ids{1, 0}));  // <0xAA> is missing
}

TEST(UnigramTest, OfTwoEqualPiecesTheLaterCounts) {
  UnigramOptions options = letters();
  options.pieces.push_back({"a", -7});
  EXPECT_EQ(ids_of(std::move(options), "a"), Ids{7});
}

TEST(UnigramTest, PiecesAndTheUnknownIdAreChecked) {
  EXPECT_EQ(Unigram::create({}).error().code, ErrorCode::InvalidInput);
  UnigramOptions options = letters();
  options.unknown_id = 99;
  EXPECT_EQ(Unigram::create(std::move(options)).error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace signalbox::tokenizer

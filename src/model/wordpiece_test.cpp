#include "model/wordpiece.h"

#include <gtest/gtest.h>

namespace signalbox::tokenizer {
namespace {

std::vector<std::int64_t> ids_of(std::string_view word, std::size_t max_letters = 100) {
  WordPieceOptions options;
  options.vocabulary = {{"[UNK]", 0}, {"un", 1}, {"##aff", 2}, {"##able", 3},
                        {"undo", 4},  {"é", 5},  {"##é", 6},   {"unaffa", 7}};
  options.max_letters = max_letters;
  std::vector<std::int64_t> ids;
  WordPiece::create(std::move(options))->tokenize(word, ids);
  return ids;
}

using Ids = std::vector<std::int64_t>;

TEST(WordPieceTest, TheLongestPieceIsTakenFirst) {
  EXPECT_EQ(ids_of("un"), Ids{1});
  EXPECT_EQ(ids_of("unable"), (Ids{1, 3}));
  EXPECT_EQ(ids_of("undoable"), (Ids{4, 3}));
}

TEST(WordPieceTest, AWordThatIsNotCoveredWholeIsUnknown) {
  EXPECT_EQ(ids_of("unaffable"), Ids{0});  // "unaffa" leaves "ble": a choice is never taken back
  EXPECT_EQ(ids_of("xun"), Ids{0});
}

TEST(WordPieceTest, PiecesEndBetweenLettersNotBytes) {
  EXPECT_EQ(ids_of("ééé"), (Ids{5, 6, 6}));
  EXPECT_EQ(ids_of("éè"), Ids{0});
}

TEST(WordPieceTest, TooLongIsUnknownAndEmptyIsNothing) {
  EXPECT_EQ(ids_of("éé", 2), (Ids{5, 6}));
  EXPECT_EQ(ids_of("ééé", 2), Ids{0});
  EXPECT_EQ(ids_of(""), Ids{});
}

}  // namespace
}  // namespace signalbox::tokenizer

#include "llm/text_pieces.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

TEST(TextPiecesTest, HalfACharacterWaitsForItsRest) {
  TextPieces pieces;
  EXPECT_EQ(pieces.add("caf\xC3"), "caf");
  EXPECT_EQ(pieces.add("\xA9 \xE4\xB8"), "é ");
  EXPECT_EQ(pieces.add("\xAD"), "中");
  EXPECT_EQ(pieces.add("\xF0\x9F\x98"), "");
  EXPECT_EQ(pieces.add("\x80!"), "😀!");
  EXPECT_EQ(pieces.finish(), "");
}

TEST(TextPiecesTest, EveryCutOfATextGivesTheSameText) {
  const std::string text = "naïve 中文 😀 e\xCC\x81 ende";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    TextPieces pieces;
    const std::string first = pieces.add(text.substr(0, cut));
    const std::string second = pieces.add(text.substr(cut));
    EXPECT_EQ(first + second + pieces.finish(), text) << cut;
  }
}

TEST(TextPiecesTest, BadBytesBecomeReplacementCharacters) {
  TextPieces pieces;
  EXPECT_EQ(pieces.add("a\xFFz"), std::string("a") + kReplacement + "z");
  EXPECT_EQ(pieces.add("\xC3"), "");
  EXPECT_EQ(pieces.finish(), kReplacement);
  EXPECT_EQ(pieces.add("\x80\x80\x80\x80x"),
            std::string(kReplacement) + kReplacement + kReplacement + kReplacement + "x");
}

TEST(TextPiecesTest, StopStringEndsTheTextAndIsNeverShown) {
  TextPieces pieces({"</tool>", "<|end|>"});
  EXPECT_EQ(pieces.add("yes <"), "yes ");
  EXPECT_EQ(pieces.add("|e"), "");
  EXPECT_EQ(pieces.add("nough <|end"), "<|enough ");
  EXPECT_EQ(pieces.add("|> more"), "");
  EXPECT_TRUE(pieces.stopped());
  EXPECT_EQ(pieces.add("more"), "");
}

TEST(TextPiecesTest, ABegunStopThatNeverEndsIsText) {
  TextPieces pieces({"<|end|>"});
  EXPECT_EQ(pieces.add("a <|en"), "a ");
  EXPECT_EQ(pieces.finish(), "<|en");
  EXPECT_FALSE(pieces.stopped());
}

}  // namespace
}  // namespace signalbox

#include "base/columns.h"

#include <gtest/gtest.h>

#include <sstream>

namespace signalbox {
namespace {

TEST(Columns, WideCharactersTakeTwoAndMarksNone) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("não"), 3U);
  EXPECT_EQ(display_width("na\u0303o"), 3U);
  EXPECT_EQ(display_width("索引"), 4U);
  EXPECT_EQ(display_width("ＡＢ한"), 6U);
  EXPECT_EQ(display_width("👍"), 2U);
  EXPECT_EQ(display_width("→ █░ µ"), 6U);
  EXPECT_EQ(display_width("a\u200Bb"), 2U);
}

TEST(Columns, PaddingFillsUpAndNeverCuts) {
  EXPECT_EQ(padded("索引", 6), "索引  ");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(Columns, WhatWouldSteerTheTerminalIsShownAsAMark) {
  EXPECT_EQ(printable("red \x1b[31m, bell \x07, null"), "red \uFFFD[31m, bell \uFFFD, null");
  EXPECT_EQ(printable("two\nlines\tand\r"), "two lines and ");
  EXPECT_EQ(printable("a\u202Eb\u009Bc\xFF"), "a\uFFFDb\uFFFDc\uFFFD");
  EXPECT_EQ(printable("¿cuánto? 索引 👍"), "¿cuánto? 索引 👍");
}

TEST(Columns, LinesBreakAtBlanksAndAreIndented) {
  EXPECT_EQ(wrapped("one two three four five six", 4, 20), "one two three\n    four five six");
  EXPECT_EQ(wrapped("short", 4, 20), "short");
  EXPECT_EQ(wrapped("", 4, 20), "");
}

TEST(Columns, TextWithoutBlanksBreaksBetweenWideCharacters) {
  EXPECT_EQ(wrapped("索引管线是怎么工作的和工单", 2, 18), "索引管线是怎么工\n  作的和工单");
}

TEST(Columns, AWordTooLongForALineIsCut) {
  EXPECT_EQ(wrapped(std::string(40, 'x'), 0, 20), std::string(20, 'x') + "\n" + std::string(20, 'x'));
}

TEST(Columns, NoLineIsWiderThanItMayBe) {
  const std::string text =
      "mixed 索引管线是怎么工作的 and_a_rather_long_identifier_here, 工单 não é 👍👍👍👍👍👍👍👍👍👍 "
      "end";
  for (std::size_t columns = 24; columns < 90; ++columns) {
    std::istringstream lines(wrapped(text, 6, columns));
    std::size_t offset = 6;  // the first line begins behind its label
    for (std::string line; std::getline(lines, line); offset = 0) {
      EXPECT_LE(offset + display_width(line), columns) << line;
    }
  }
}

TEST(Columns, NoLimitMeansOneLine) {
  EXPECT_EQ(wrapped("one two three four five six", 4, 0), "one two three four five six");
  EXPECT_EQ(wrapped("one two three four five", 30, 10),
            "one two three\n" + std::string(30, ' ') + "four five");
}

}  // namespace
}  // namespace signalbox

#include "base/blanks.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(FilledBlanks, EachNameTakesItsValueAndUnknownOnesStay) {
  EXPECT_EQ(filled_blanks("{a} and {b}, {c}", {{"a", "1"}, {"b", "2"}}), "1 and 2, {c}");
  EXPECT_EQ(filled_blanks("no blank", {{"a", "1"}}), "no blank");
}

TEST(FilledBlanks, ABlankInsideAValueIsNotFilledAgain) {
  EXPECT_EQ(filled_blanks("{a}{b}", {{"a", "{b}"}, {"b", "2"}}), "{b}2");
}

TEST(FilledBlanks, BracesThatCloseNothingAreText) {
  EXPECT_EQ(filled_blanks("{a", {{"a", "1"}}), "{a");
  EXPECT_EQ(filled_blanks("{ {a}", {{"a", "1"}}), "{ 1");
}

}  // namespace
}  // namespace signalbox

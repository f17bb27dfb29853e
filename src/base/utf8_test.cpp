#include "base/utf8.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(Utf8, EveryCodePointSurvivesTheRoundTrip) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    const CodePoint point = decode_utf8(text, 0);
    ASSERT_TRUE(point.is_valid) << static_cast<unsigned>(c);
    ASSERT_EQ(point.value, c);
    ASSERT_EQ(point.bytes, text.size());
  }
}

TEST(Utf8, ReadsFromTheMiddleOfAText) {
  const std::string_view text = "aé中👍";
  EXPECT_EQ(decode_utf8(text, 1).value, U'é');
  EXPECT_EQ(decode_utf8(text, 3).value, U'中');
  EXPECT_EQ(decode_utf8(text, 6).value, U'👍');
}

TEST(Utf8, WhatIsNoUtf8IsFoundAtItsFirstByte) {
  EXPECT_FALSE(find_invalid_utf8("plain, não, 中文, 👍"));
  EXPECT_EQ(find_invalid_utf8("ab\xFFz"), 2U);
  EXPECT_EQ(find_invalid_utf8("\x80"), 0U);               // a lone continuation
  EXPECT_EQ(find_invalid_utf8("a\xC0\xAF"), 1U);          // overlong '/'
  EXPECT_EQ(find_invalid_utf8("a\xE0\x80\xAF"), 1U);      // overlong in three bytes
  EXPECT_EQ(find_invalid_utf8("a\xF0\x80\x80\xAF"), 1U);  // … in four
  EXPECT_EQ(find_invalid_utf8("a\xED\xA0\x80"), 1U);      // a surrogate
  EXPECT_EQ(find_invalid_utf8("a\xF4\x90\x80\x80"), 1U);  // beyond U+10FFFF
  EXPECT_EQ(find_invalid_utf8("a\xE4\xB8"), 1U);          // cut short
  EXPECT_EQ(find_invalid_utf8("a\xC3"
                              "b"),
            1U);  // a lead without its continuation
}

TEST(Utf8, BadBytesComeBackOneByOne) {
  const CodePoint point = decode_utf8("\xE4\xB8", 0);
  EXPECT_FALSE(point.is_valid);
  EXPECT_EQ(point.bytes, 1U);
  EXPECT_EQ(point.value, char32_t{0xFFFD});
}

TEST(Utf8, APrefixNeverCutsACharacter) {
  EXPECT_EQ(utf8_prefix("não sei", 2), "nã");
  EXPECT_EQ(utf8_prefix("中文字", 2), "中文");
  EXPECT_EQ(utf8_prefix("ab", 9), "ab");
  EXPECT_EQ(utf8_prefix("ab", 0), "");
}

TEST(Utf8, CountsCharactersNotBytes) {
  EXPECT_EQ(count_code_points(""), 0U);
  EXPECT_EQ(count_code_points("não"), 3U);
  EXPECT_EQ(count_code_points("中👍"), 2U);
  EXPECT_EQ(count_code_points("a\xFF\xFF"), 3U);
}

}  // namespace
}  // namespace signalbox

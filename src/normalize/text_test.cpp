#include "normalize/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(Text, TheOriginalStaysBesideTheFoldedCopy) {
  const auto text = normalize("¿Dónde está?");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->original, "¿Dónde está?");
  EXPECT_EQ(text->folded, "¿donde esta?");
  ASSERT_EQ(text->tokens.size(), 2U);
  EXPECT_EQ(text->word(0), "donde");
  EXPECT_EQ(text->word(1), "esta");
}

TEST(Text, BadBytesAreNamedWithTheirPlace) {
  const auto text = normalize("ol\xE1 mundo");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(text.error().message, testing::HasSubstr("0xE1 at offset 2"));
}

TEST(Text, AMegabyteIsTheMost) {
  EXPECT_TRUE(normalize(std::string(kMaxQueryBytes, 'a')));
  const auto text = normalize(std::string(kMaxQueryBytes + 1, 'a'));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(text.error().message, testing::HasSubstr("1048577 bytes"));
}

TEST(Text, NothingIsATextWithoutWords) {
  const auto text = normalize("");
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->tokens.empty());
}

TEST(Text, AZeroByteIsACharacterLikeAnother) {
  const auto text = normalize(std::string_view("a\0b", 3));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->original.size(), 3U);
  EXPECT_EQ(text->tokens.size(), 2U);
}

}  // namespace
}  // namespace signalbox

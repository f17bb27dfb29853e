// Normalizers, word splitters and added tokens, each alone; together they are tested in
// tokenizer_json_test.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "model/tokenizer_added.h"
#include "model/tokenizer_normalizer.h"
#include "model/tokenizer_splitter.h"
#include "model/tokenizer_text.h"
#include "model/unigram_charsmap.h"

namespace signalbox::tokenizer {
namespace {

std::string normalized(std::string_view rules, std::string_view text) {
  const auto normalizer = TextNormalizer::parse(boost::json::parse(rules));
  if (!normalizer) return "refused: " + normalizer.error().message;
  std::u32string points = to_code_points(text);
  normalizer->apply(points);
  return to_utf8(points);
}

// The words with a bar between them.
std::string split(std::string_view rules, std::string_view text, bool is_first = true) {
  const auto splitter = WordSplitter::parse(boost::json::parse(rules));
  if (!splitter) return "refused: " + splitter.error().message;
  std::string out;
  for (const std::u32string& word : splitter->split(to_code_points(text), is_first)) {
    out += (out.empty() ? "" : "|") + to_utf8(word);
  }
  return out;
}

TEST(TextNormalizerTest, BertLowersStripsAndSpacesChineseOut) {
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer"})", "Caf\u00c9\t\u4e2d\u6587\u200b!"),
            "cafe  中  文 !");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer", "lowercase": false})", "CafÉ"), "CafÉ");
  EXPECT_EQ(
      normalized(R"({"type": "BertNormalizer", "lowercase": false, "strip_accents": true})", "CafÉ"),
      "CafE");
  EXPECT_EQ(normalized(R"({"type": "BertNormalizer", "handle_chinese_chars": false})", "中文"), "中文");
  EXPECT_EQ(
      normalized(R"({"type": "BertNormalizer", "clean_text": false, "strip_accents": false})", "a\tB"),
      "a\tb");
}

TEST(TextNormalizerTest, StepsOfASequenceFollowEachOther) {
  EXPECT_EQ(normalized(R"({"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"},
                           {"type": "Strip"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
                           {"type": "Replace", "pattern": {"String": "b"}, "content": "\\1"},
                           {"type": "Prepend", "prepend": "_"}]})",
                       "  ＡＢ   c "),
            "_a\\1 c");
  EXPECT_EQ(
      normalized(R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})",
                 "é"),
      "e");
}

TEST(TextNormalizerTest, LettersAreLoweredOneByOne) {
  EXPECT_EQ(normalized(R"({"type": "Lowercase"})", "ΣΣ İ"), "σσ i\u0307");
}

TEST(TextNormalizerTest, PatternsThatCannotWorkAreRefused) {
  EXPECT_EQ(normalized(R"({"type": "Replace", "pattern": {"Regex": "("}, "content": ""})", "a"),
            "refused: normalizer Replace: cannot use the pattern \"(\"");
  EXPECT_EQ(normalized(R"({"type": "Replace", "pattern": {"String": ""}, "content": "x"})", "a"),
            "refused: normalizer Replace: cannot use the pattern \"\"");
  EXPECT_EQ(normalized(R"({"type": "Sequence"})", "a"),
            "refused: normalizer Sequence: expected normalizers");
}

TEST(CharsMapTest, BrokenBlobsAreRefusedOrHarmless) {
  EXPECT_EQ(CharsMap::create("").error().code, ErrorCode::Corrupt);
  EXPECT_EQ(CharsMap::create(std::string("\xff\x00\x00\x00", 4)).error().code, ErrorCode::Corrupt);
  EXPECT_EQ(CharsMap::from_base64("*").error().code, ErrorCode::Corrupt);
  // One unit whose every step leads outside.
  const auto map = CharsMap::create(std::string("\x04\x00\x00\x00\xff\xff\xff\xff", 8));
  ASSERT_TRUE(map);
  EXPECT_EQ(to_utf8(map->apply(U"abc é")), "abc é");
}

TEST(WordSplitterTest, SplitsAsItsTypeSays) {
  EXPECT_EQ(split(R"({"type": "BertPreTokenizer"})", "it's  a-b."), "it|'|s|a|-|b|.");
  EXPECT_EQ(split(R"({"type": "Whitespace"})", "it's  a_b..."), "it|'|s|a_b|...");
  EXPECT_EQ(split(R"({"type": "WhitespaceSplit"})", " it's\ta "), "it's|a");
  EXPECT_EQ(split(R"({"type": "Punctuation"})", "a, b"), "a|,| b");
  EXPECT_EQ(split("null", "a b"), "a b");
  EXPECT_EQ(split("null", ""), "");
}

TEST(WordSplitterTest, MetaspaceMarksWhereSpacesWere) {
  EXPECT_EQ(split(R"({"type": "Metaspace"})", "a  b"), "▁a|▁|▁b");
  EXPECT_EQ(split(R"({"type": "Metaspace", "prepend_scheme": "never"})", "a b"), "a|▁b");
  EXPECT_EQ(split(R"({"type": "Metaspace", "add_prefix_space": false})", "a b"), "a|▁b");
  EXPECT_EQ(split(R"({"type": "Metaspace", "prepend_scheme": "first"})", "a b", false), "a|▁b");
  EXPECT_EQ(split(R"({"type": "Metaspace", "prepend_scheme": "first"})", "a b", true), "▁a|▁b");
  EXPECT_EQ(split(R"({"type": "Metaspace", "split": false})", "a b"), "▁a▁b");
}

std::string parts(const AddedToken& token, std::u32string_view text) {
  std::string out;
  for (const AddedTokens::Part& part : AddedTokens({token}).find(text)) {
    out += (out.empty() ? "" : "|") +
           (part.id == AddedTokens::kText ? to_utf8(part.text) : "#" + std::to_string(part.id));
  }
  return out;
}

TEST(AddedTokensTest, TokensAreFoundWhereverTheyStand) {
  EXPECT_EQ(parts({U"<m>", 7}, U"a <m>b<m>"), "a |#7|b|#7");
  EXPECT_EQ(parts({U"<m>", 7, false, true, true}, U"a  <m> b"), "a|#7|b");
  EXPECT_EQ(parts({U"mm", 7, true}, U"amm mm mmb"), "amm |#7| mmb");
  EXPECT_EQ(parts({U"", 7}, U"a"), "a");
}

TEST(AddedTokensTest, TheLongestWins) {
  const AddedTokens tokens({{U"ab", 1}, {U"abc", 2}, {U"b", 3}});
  const auto found = tokens.find(U"abcab");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].id, 2);
  EXPECT_EQ(found[1].id, 1);
}

}  // namespace
}  // namespace signalbox::tokenizer

// Against token ids of the reference implementation (test/data/tokenizer/reference.py wrote them).
#include "model/tokenizer_json.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "model/onnx_library.h"

namespace signalbox::tokenizer {
namespace {

namespace json = boost::json;

const std::string kFolder = SIGNALBOX_SOURCE_DIR "/test/data/tokenizer/";

void expect_reference_ids(const std::filesystem::path& tokenizer_path, const std::string& name) {
  const auto tokenizer = JsonTokenizer::load(tokenizer_path);
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  std::ifstream file(kFolder + "ids.jsonl");
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const json::object row = json::parse(line).as_object();
    const auto expected = json::value_to<std::vector<std::int64_t>>(row.at(name));
    const std::string text(row.at("text").as_string());
    EXPECT_EQ(tokenizer->encode(text, 100000).ids, expected) << line.substr(0, 80);
  }
  EXPECT_GE(rows, 200U);
}

TEST(JsonTokenizerTest, WordPieceGivesTheReferenceIds) {
  expect_reference_ids(kFolder + "wordpiece.json", "wordpiece");
}

TEST(JsonTokenizerTest, UnigramGivesTheReferenceIds) {
  expect_reference_ids(kFolder + "unigram.json", "unigram");
}

class FetchedTokenizer : public testing::TestWithParam<const char*> {};

TEST_P(FetchedTokenizer, GivesTheReferenceIds) {
  const std::filesystem::path path = onnx_cache() / "models" / GetParam() / "tokenizer.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "scripts/fetch-onnx.sh --models fetches " << path;
  expect_reference_ids(path, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Models, FetchedTokenizer,
                         testing::Values("all-minilm-l6-v2-q", "bge-small-zh-v15-q"));

// A WordPiece tokenizer over "a", "b", "##b" with parts put in by the test.
std::string small(std::string_view parts) {
  return std::string(R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "b": 2, "##b": 3,
    "[CLS]": 4, "[SEP]": 5}, "unk_token": "[UNK]"}, "pre_tokenizer": {"type": "WhitespaceSplit"})") +
         std::string(parts) + "}";
}

constexpr std::string_view kFrame =
    R"(, "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 5], "cls": ["[CLS]", 4]})";

TEST(JsonTokenizerTest, LongTextIsCutBetweenTheSpecialTokensAndCounted) {
  const auto tokenizer = JsonTokenizer::parse(small(kFrame));
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  const Tokens tokens = tokenizer->encode("a abb b", 5);
  EXPECT_EQ(tokens.ids, (std::vector<std::int64_t>{4, 1, 1, 3, 5}));
  EXPECT_EQ(tokens.words, 3U);
  EXPECT_EQ(tokens.words_used, 1U);
  EXPECT_EQ(tokenizer->encode("a abb b").words_used, 3U);
}

TEST(JsonTokenizerTest, TheFilesOwnLengthCutsUnlessAnotherIsAsked) {
  const auto tokenizer = JsonTokenizer::parse(
      small(std::string(kFrame) + R"(, "truncation": {"max_length": 3, "direction": "Right"})"));
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->max_tokens(), 3U);
  EXPECT_EQ(tokenizer->encode("a a a").ids, (std::vector<std::int64_t>{4, 1, 5}));
  EXPECT_EQ(tokenizer->encode("a a a", 4).ids, (std::vector<std::int64_t>{4, 1, 1, 5}));
  EXPECT_EQ(tokenizer->encode("a a a", 1).ids, (std::vector<std::int64_t>{4, 5}));
}

TEST(JsonTokenizerTest, BadBytesAreReadAsReplacementCharacters) {
  const auto tokenizer = JsonTokenizer::parse(small(""));
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(tokenizer->encode("a \xff\xfe b").ids, (std::vector<std::int64_t>{1, 0, 2}));
}

TEST(JsonTokenizerTest, WhatIsNotKnownIsRefusedByName) {
  const auto message = [](std::string_view text) {
    const auto tokenizer = JsonTokenizer::parse(text);
    return tokenizer ? std::string("accepted") : tokenizer.error().message;
  };
  EXPECT_EQ(message(R"({"model": {"type": "BPE", "vocab": {}}})"),
            "model \"BPE\" is not known (WordPiece and Unigram are)");
  EXPECT_EQ(message(small(R"(, "normalizer": {"type": "ByteLevel"})")),
            "normalizer \"ByteLevel\" is not known");
  EXPECT_EQ(
      message(
          R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0}}, "pre_tokenizer": {"type": "Digits"}})"),
      "pre_tokenizer \"Digits\" is not known");
  EXPECT_EQ(message(small(R"(, "post_processor": {"type": "ByteLevel"})")),
            "post_processor \"ByteLevel\" is not known");
  EXPECT_EQ(message(small(R"(, "truncation": {"max_length": 9, "direction": "Left"})")),
            "truncation.direction Left is not known");
  EXPECT_EQ(message(R"({"model": {"type": "WordPiece", "vocab": {"a": 1}}})"),
            "the vocabulary has no unknown token \"[UNK]\"");
  EXPECT_EQ(message(R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": -1}}})"),
            "model.vocab: \"[UNK]\" has no usable id");
  EXPECT_EQ(message(R"({"model": {"type": "Unigram", "vocab": [["a"]]}})"),
            "model.vocab: expected pairs of piece and score");
  EXPECT_EQ(message(R"({"model": {"type": "Unigram", "vocab": [["a", -1]], "unk_id": 1}})"),
            "unk_id 1 is not among the 1 pieces");
  EXPECT_EQ(message("[]"), "model: expected an object");
}

TEST(JsonTokenizerTest, BrokenAndMissingFilesHaveTheirOwnCodes) {
  EXPECT_EQ(JsonTokenizer::parse("{").error().code, ErrorCode::Corrupt);
  EXPECT_EQ(JsonTokenizer::load(kFolder + "nothing.json").error().code, ErrorCode::NotFound);
  EXPECT_EQ(JsonTokenizer::parse(
                small(R"(, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"})"))
                .error()
                .code,
            ErrorCode::Corrupt);
}

}  // namespace
}  // namespace signalbox::tokenizer

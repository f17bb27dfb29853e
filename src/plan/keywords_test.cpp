#include "plan/keywords.h"

#include <gtest/gtest.h>

#include "plan/symbol.h"
#include "test/fakes/plan_words.h"

namespace signalbox::planning {
namespace {

std::string keywords(std::string_view text) {
  std::string out;
  for (const Keyword& keyword : extract_keywords(text, plan_lexicon())) {
    if (!out.empty()) out += '|';
    out += keyword.text;
    if (keyword.is_symbol) out += '!';
  }
  return out;
}

TEST(Keywords, StopWordsSayNothing) {
  EXPECT_EQ(keywords("How does the indexing pipeline work?"), "indexing|pipeline");
  EXPECT_EQ(keywords("what is it"), "");
  EXPECT_EQ(keywords(""), "");
}

TEST(Keywords, NamesKeepTheirSpelling) {
  EXPECT_EQ(keywords("what is ERR_TIMEOUT"), "ERR_TIMEOUT!");
  EXPECT_EQ(keywords("PROJ-123"), "PROJ-123!");
  EXPECT_EQ(keywords("where is max_retries in src/net/client.cpp?"),
            "max_retries!|src/net/client.cpp!");
  EXPECT_EQ(keywords("does parse() return 0x80004005 or 404"), "parse|return|0x80004005!|404!");
  EXPECT_EQ(keywords("std::vector in C++ with --verbose and .env"),
            "std::vector!|C++!|with|--verbose!|.env!");
}

TEST(Keywords, AQuotedTermIsOneKeyword) {
  EXPECT_EQ(keywords("explain \"read and write\" locks"), "read and write!|locks");
  EXPECT_EQ(keywords("什么是「读写锁」"), "读写锁!");
  EXPECT_EQ(keywords("the user's file isn't 'too big'"), "user|file|isn't|too big!");
}

TEST(Keywords, ChineseIsCutIntoWords) {
  EXPECT_EQ(keywords("查找关于认证的文件"), "认证");
  EXPECT_EQ(keywords("VectorTool 是什么"), "VectorTool!");
  EXPECT_EQ(keywords("索引管线"), "索引|管线");
}

TEST(Keywords, AFileNameOfAnyScriptKeepsItsEnding) {
  EXPECT_EQ(keywords("打开文件信用卡申请流程.txt"), "信用卡申请流程.txt!");
  EXPECT_EQ(keywords("打开 report-2024.pdf。"), "report-2024.pdf!");
}

TEST(Keywords, EachWordStandsOnce) {
  EXPECT_EQ(keywords("Cache the cache of CACHE keys"), "Cache|keys");
}

TEST(Keywords, ALoneLetterIsANameOnlyBesideWordsThatJoinNames) {
  EXPECT_EQ(keywords("A and B"), "A|B");
  EXPECT_EQ(keywords("A file I need"), "file|need");
}

TEST(Symbol, OrdinaryWordsAreNone) {
  for (const char* word :
       {"pipeline", "Introduction", "and/or", "multi-hop", "e.g", "don't", "X", "42"}) {
    EXPECT_FALSE(is_symbol(word)) << word;
  }
}

TEST(Symbol, FileNamesEndInAFewLetters) {
  for (const char* name : {"a.md", "config.yaml", "./x/y.cpp", ".env", "信用卡.txt"})
    EXPECT_TRUE(is_file_name(name)) << name;
  for (const char* name : {"3.14", "e.g", "https://example.com/spec.html", "end.", "v1.2"}) {
    EXPECT_FALSE(is_file_name(name)) << name;
  }
}

}  // namespace
}  // namespace signalbox::planning

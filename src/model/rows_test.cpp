#include "model/rows.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(Rows, TsvHasTextLabelAndMore) {
  const auto rows =
      parse_rows("turn it on\tlights\tignored\r\n\n# a comment\nwhere am I\toos\n", "x.tsv");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ(rows->at(0).text, "turn it on");
  EXPECT_EQ(rows->at(0).labels, std::vector<std::string>{"lights"});
  EXPECT_TRUE(rows->at(1).is_out_of_scope());
}

TEST(Rows, SeveralIntentsKeepTheirOrder) {
  const auto rows = parse_rows("do b then a\tb#a\n", "x.tsv");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->front().labels, (std::vector<std::string>{"b", "a"}));
  EXPECT_FALSE(rows->front().is_out_of_scope());
}

TEST(Rows, JsonlTakesTheRequestAndWhatIsExpected) {
  const auto rows = parse_rows(
      R"({"query": "hi", "expected": {"route": "greeting"}}
{"query": "a and b", "expected": {"intents": [{"route": "a"}, {"route": "b"}]}}
{"query": "huh", "expected": {"route": null}}
{"text": "old", "label": "c"}
)",
      "x.jsonl");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->at(0).labels, std::vector<std::string>{"greeting"});
  EXPECT_NE(rows->at(0).json.find("\"expected\""), std::string::npos);
  EXPECT_EQ(rows->at(1).labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(rows->at(2).is_out_of_scope());
  EXPECT_EQ(rows->at(3).text, "old");
}

TEST(Rows, MistakesNameTheLine) {
  const auto no_tab = parse_rows("good\tlabel\nbad line\n", "rows.tsv");
  ASSERT_FALSE(no_tab);
  EXPECT_EQ(no_tab.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(no_tab.error().message.find("rows.tsv:2:"), std::string::npos) << no_tab.error().message;
  for (const char* text :
       {"text\t\n", "{\"query\": 1}\n", "{nothing\n", "{\"label\": \"x\"}\n", "text\t##\n"}) {
    EXPECT_FALSE(parse_rows(text, "x")) << text;
  }
}

TEST(Rows, MissingFileIsNotFound) {
  const auto rows = read_rows("/nowhere/rows.tsv");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace signalbox

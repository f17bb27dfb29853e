#include "wire/search_json.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

namespace json = boost::json;

std::string error_of(std::string_view tool, const json::object& arguments) {
  const auto call = tool_call_from_json(tool, arguments);
  return call ? "" : call.error().message;
}

TEST(SearchJsonTest, ArgumentsAreTakenAsTheToolReadsThem) {
  const auto call = tool_call_from_json("grep_search", {{"query", "a b"}, {"regex", true}, {"k", 7}});
  ASSERT_TRUE(call) << call.error().message;
  EXPECT_EQ(call->tool, "grep_search");
  EXPECT_EQ(call->arguments,
            (std::map<std::string, std::string>{{"query", "a b"}, {"regex", "true"}, {"k", "7"}}));
}

TEST(SearchJsonTest, WhatTheSchemaDoesNotAllowIsNamed) {
  EXPECT_EQ(error_of("grep_search", {}), "[ERROR: BAD_ARGUMENT] needs 'query'");
  EXPECT_EQ(error_of("grep_search", {{"query", 5}}),
            "[ERROR: BAD_ARGUMENT] 'query': expected a string");
  EXPECT_EQ(error_of("grep_search", {{"query", "a"}, {"context", 51}}),
            "[ERROR: BAD_ARGUMENT] 'context': expected a number from 0 to 50");
  EXPECT_EQ(error_of("grep_search", {{"query", "a"}, {"k", "many"}}),
            "[ERROR: BAD_ARGUMENT] 'k': expected a whole number");
  EXPECT_EQ(error_of("read_file", {{"path", "a"}, {"first_line", 0}}),
            "[ERROR: BAD_ARGUMENT] 'first_line': expected a number from 1");
  EXPECT_EQ(error_of("read_file", {{"path", "a"}, {"depth", 2}}),
            "[ERROR: BAD_ARGUMENT] read_file takes no 'depth'");
  EXPECT_EQ(tool_call_from_json("web_fetch", {}).error().code, ErrorCode::NotFound);
}

TEST(SearchJsonTest, EveryToolIsListedWithItsSchema) {
  const json::array tools = tools_to_json();
  ASSERT_EQ(tools.size(), search_tools().size());
  for (const json::value& tool : tools)
    EXPECT_TRUE(tool.at("function").at("parameters").as_object().contains("properties"));
}

TEST(SearchJsonTest, MatchesAreNumberedFromOne) {
  const json::array hits =
      hits_to_json({{"a", "x.md", 1, 2, 0.5, "T", "text"}, {"b", "y.md", 3, 4, 0.2, "", ""}});
  EXPECT_EQ(hits[0].at("number"), 1);
  EXPECT_EQ(hits[1].at("number"), 2);
  EXPECT_EQ(hits[1].at("file"), "y.md");
}

}  // namespace
}  // namespace signalbox

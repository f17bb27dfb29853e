#include "sql/hrana.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

TEST(Hrana, ReadsValuesOfEveryType) {
  const auto rows = parse_hrana(
      R"({"baton":null,"results":[{"type":"ok","response":{"type":"execute","result":{"cols":[{"name":"a"},{"name":"b"},{"name":"c"},
      {"name":"d"},{"name":"e"}],"rows":[[{"type":"integer","value":"9007199254740993"},{"type":"float","value":1.5},
      {"type":"text","value":"x"},{"type":"null"},{"type":"blob","base64":"AAAA"}]]}}}]})",
      1);
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->front().rows[0], (SqlRow{std::int64_t{9007199254740993}, 1.5, std::string("x"),
                                           SqlValue{}, std::string("(3 bytes)")}));
}

TEST(Hrana, TheServersErrorIsToldInItsWords) {
  const auto rows =
      parse_hrana(R"({"results":[{"type":"error","error":{"message":"no such table: x"}}]})", 1);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(rows.error().message, "no such table: x");
}

TEST(Hrana, WhatIsNotOfTheProtocolIsTheServersFault) {
  for (
      const char* body :
      {"", "[]", "{}", R"({"results":[]})", R"({"results":[7]})", R"({"results":[{"type":"ok"}]})",
       R"({"results":[{"type":"ok","response":{"result":{"cols":[{"name":"a"}],"rows":[[]]}}}]})",
       R"({"results":[{"type":"ok","response":{"result":{"cols":[{"name":"a"}],"rows":[[{"type":"integer","value":"x"}]]}}}]})"}) {
    const auto rows = parse_hrana(body, 1);
    ASSERT_FALSE(rows) << body;
    EXPECT_EQ(rows.error().code, ErrorCode::Upstream) << body;
  }
}

}  // namespace
}  // namespace signalbox

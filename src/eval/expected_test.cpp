#include "eval/expected.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace signalbox {
namespace {

std::string difference(std::string_view expected, std::string_view got) {
  return first_difference(boost::json::parse(expected), boost::json::parse(got)).value_or("");
}

TEST(Expected, OnlyTheFieldsNamedMatter) {
  EXPECT_EQ(difference(R"({"route": "a"})", R"({"route": "a", "tier": "clear"})"), "");
  EXPECT_EQ(difference(R"({"tier": "clear"})", R"({"route": "a", "tier": "confirm"})"), "tier");
}

TEST(Expected, PathsLeadIntoObjectsAndArrays) {
  EXPECT_EQ(
      difference(R"({"plan": {"query_type": "exact"}})", R"({"plan": {"query_type": "chitchat"}})"),
      "plan.query_type");
  EXPECT_EQ(difference(R"({"s": ["a", "b"]})", R"({"s": ["a", "c"]})"), "s[1]");
  EXPECT_EQ(difference(R"({"s": ["a"]})", R"({"s": ["a", "c"]})"), "s");
}

TEST(Expected, NullMatchesNullAndAbsence) {
  EXPECT_EQ(difference(R"({"rule": null, "route": "b"})", R"({"route": "a"})"), "route");
  EXPECT_EQ(difference(R"({"rule": null})", R"({})"), "");
  EXPECT_EQ(difference(R"({"rule": null})", R"({"rule": "RC-01"})"), "rule");
}

TEST(Expected, NumbersAreEqualAcrossKinds) {
  EXPECT_EQ(difference(R"({"n": 1})", R"({"n": 1.0})"), "");
  EXPECT_EQ(difference(R"({"n": 1})", R"({"n": 1.1})"), "n");
}

}  // namespace
}  // namespace signalbox

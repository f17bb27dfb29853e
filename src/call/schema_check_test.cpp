#include "call/schema_check.h"

#include <gtest/gtest.h>

namespace signalbox {
namespace {

namespace json = boost::json;

std::string faults(std::string_view value, std::string_view schema) {
  return faults_text(check_value(json::parse(value), json::parse(schema).as_object()));
}

struct SchemaCase {
  const char* schema;
  const char* good;
  const char* bad;
  const char* fault;
};

class SchemaCheckTest : public testing::TestWithParam<SchemaCase> {};

TEST_P(SchemaCheckTest, TakesTheGoodAndNamesTheFaultOfTheBad) {
  EXPECT_EQ(faults(GetParam().good, GetParam().schema), "");
  EXPECT_EQ(faults(GetParam().bad, GetParam().schema), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    Keywords, SchemaCheckTest,
    testing::Values(
        SchemaCase{R"({"type":"integer"})", "3.0", "3.5", "the value must be of type integer"},
        SchemaCase{R"({"type":["string","null"]})", "null", "1",
                   R"(the value must be of type ["string","null"])"},
        SchemaCase{R"({"type":"string","nullable":true})", "null", "1",
                   "the value must be of type string"},
        SchemaCase{R"({"enum":["a",1]})", "1.0", R"("b")", R"(the value must be one of ["a",1])"},
        SchemaCase{R"({"const":2})", "2", "3", "the value must be 2"},
        SchemaCase{R"({"minimum":1,"maximum":3})", "3", "4", "the value must be at most 3"},
        SchemaCase{R"({"exclusiveMinimum":1})", "1.5", "1", "the value must be above 1"},
        SchemaCase{R"({"multipleOf":0.1})", "0.3", "0.35", "the value must be a multiple of 0.1"},
        SchemaCase{R"({"minLength":2})", R"("ñu")", R"("ñ")",
                   "the value must have at least 2 characters"},
        SchemaCase{R"({"pattern":"^[A-Z]+-\\d+$"})", R"("AB-1")", R"("ab-1")",
                   "the value must match ^[A-Z]+-\\d+$"},
        SchemaCase{R"({"format":"date"})", R"("2024-02-29")", R"("2023-02-29")",
                   "the value must be a date"},
        SchemaCase{R"({"format":"email"})", R"("a.b@c.org")", R"("a.b@c")",
                   "the value must be a email"},
        SchemaCase{R"({"format":"date-time"})", R"("2024-02-29T10:00:00Z")", R"("2024-02-29T25:00")",
                   "the value must be a date-time"},
        SchemaCase{R"({"format":"ipv4"})", R"("10.0.0.255")", R"("10.0.0.256")",
                   "the value must be a ipv4"},
        SchemaCase{R"({"items":{"type":"integer"},"minItems":1})", "[1,2]", R"([1,"x"])",
                   "[1] must be of type integer"},
        SchemaCase{
            R"({"type":"object","required":["a"],"properties":{"a":{"type":"object","required":["b"]}}})",
            R"({"a":{"b":1}})", R"({"a":{}})", "a.b is missing"},
        SchemaCase{R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1})",
                   R"({"z":1})", "z is not a known field"},
        SchemaCase{R"({"additionalProperties":{"type":"string"}})", R"({"q":"x"})", R"({"q":1})",
                   "q must be of type string"},
        SchemaCase{R"({"anyOf":[{"type":"string"},{"minimum":5}]})", "7", "3",
                   "the value fits none of anyOf"},
        SchemaCase{R"({"oneOf":[{"minimum":1},{"maximum":9}]})", "0", "5",
                   "the value fits more than one of oneOf"}));

TEST(SchemaCheck, AMissingFieldIsToldApartBecauseItCanBeAskedFor) {
  const auto found = check_value(
      json::parse(R"({"n":"x"})"),
      json::parse(R"({"required":["a"],"properties":{"n":{"type":"integer"}}})").as_object());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].is_missing);
  EXPECT_FALSE(found[1].is_missing);
}

TEST(SchemaCheck, ASchemaThatNestsWithoutEndIsCutAndSaysSo) {
  std::string schema = "{}";
  std::string value = "1";
  for (int i = 0; i < 40; ++i) {
    schema = R"({"items":)" + schema + "}";
    value = "[" + value + "]";
  }
  json::parse_options deep;
  deep.max_depth = 100;
  const auto found =
      check_value(json::parse(value, {}, deep), json::parse(schema, {}, deep).as_object());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].what.find("too deeply"), std::string::npos);
}

TEST(SchemaCheck, ATextBecomesTheTypeItsSchemaWants) {
  const auto as = [](std::string_view text, std::string_view schema) {
    const auto value = value_from_text(text, json::parse(schema).as_object());
    return value ? json::serialize(*value) : "none";
  };
  EXPECT_EQ(as("5", R"({"type":"integer"})"), "5");
  EXPECT_EQ(as("5.5", R"({"type":"integer"})"), "none");
  EXPECT_EQ(as("5", R"({"type":"string"})"), R"("5")");
  EXPECT_EQ(as("true", R"({"type":"boolean"})"), "true");
  EXPECT_EQ(as("[1]", R"({"type":"array"})"), "[1]");
  EXPECT_EQ(as("{}", R"({"type":"array"})"), "none");
}

}  // namespace
}  // namespace signalbox

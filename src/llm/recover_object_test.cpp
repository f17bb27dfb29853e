#include "llm/recover_object.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace signalbox {
namespace {

// The object as text, or the complaint.
std::string recovered(std::string_view text) {
  const auto object = recover_object(text);
  if (object) return boost::json::serialize(*object);
  EXPECT_EQ(object.error().code, ErrorCode::Corrupt);
  return object.error().message;
}

TEST(RecoverObject, ProseAndFencesAroundItAreOverlooked) {
  EXPECT_EQ(recovered(R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(recovered("Sure!\n```json\n{\"a\": \"} \\\" {\"}\n``` Bye {}"), R"({"a":"} \" {"})");
  EXPECT_EQ(recovered("  {}"), "{}");
}

TEST(RecoverObject, ThoughtsAreNotTheAnswer) {
  EXPECT_EQ(recovered("<think>{\"a\":1}? no.</think>{\"a\":2}"), R"({"a":2})");
  EXPECT_EQ(recovered("<thinking>{\"a\":1}</thinking>\n{\"a\":2}"), R"({"a":2})");
  EXPECT_EQ(recovered("maybe {\"a\":1}</think> {\"a\":2}"), R"({"a":2})");
  EXPECT_EQ(recovered("<think>one</think><think>{\"a\":1}</think>{\"a\":2}"), R"({"a":2})");
  EXPECT_EQ(recovered("<think>{\"a\":1} and then it was cut"), "no JSON object in the answer");
}

TEST(RecoverObject, TheFirstThatParsesCounts) {
  EXPECT_EQ(recovered("{route: A} or rather {\"a\":1}"), R"({"a":1})");
  EXPECT_EQ(recovered("{ {\"a\":1} }"), R"({"a":1})");
  EXPECT_EQ(recovered("{\"a\":1}{\"a\":2}"), R"({"a":1})");
}

TEST(RecoverObject, WhatIsNoneSaysWhy) {
  EXPECT_EQ(recovered(""), "no JSON object in the answer");
  EXPECT_EQ(recovered("[1, 2]"), "no JSON object in the answer");
  EXPECT_EQ(recovered("{\"a\":1"), "no JSON object in the answer");
  EXPECT_EQ(recovered("{route: A}"), "what stands in braces is not JSON");
}

TEST(RecoverObject, EndlessBracesCostABoundedNumberOfTries) {
  EXPECT_EQ(recovered(std::string(200'000, '{')), "no JSON object in the answer");
  EXPECT_EQ(recovered(std::string(64, '{') + std::string(64, '}')),
            "what stands in braces is not JSON");
}

}  // namespace
}  // namespace signalbox

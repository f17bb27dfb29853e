#include "wire/request_text.h"

#include <gtest/gtest.h>

#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// Every field of a request, each with a value; `awaiting` with every field of its own.
constexpr const char* kFull = R"({
  "query": "the second one", "profile": "workspace", "session_id": "s-1", "route": "A",
  "history": [{"role": "user", "content": "show my notes"}],
  "intent_history": [{"type": "A", "topic": "show my notes"}],
  "active_app": "trip_planner", "app_state": {"trip_planner": {"next": 1}},
  "awaiting": {"kind": "choose", "text": "Which?", "options": ["a", "b"], "query": "open it",
               "route": "A"},
  "attachments": [{"name": "a.png", "mime": "image/png", "text": "t", "url": "https://x/a.png"}],
  "extra_context": "plan: gold", "allowlist": {"orders": ["id", "state"]},
  "evidence": {"rag_hits": 2.5, "seen": true, "kind": "x"}, "metadata": {"user": "u"},
  "deadline_ms": 250, "results": ["first", "second"]})";

TEST(RequestText, EveryFieldOfARequestComesBack) {
  const json::object full = json::parse(kFull).as_object();
  for (const std::string_view field : request_fields())
    ASSERT_TRUE(full.contains(field)) << field << " is missing in this test";
  const auto request = request_from_json(full);
  ASSERT_TRUE(request) << request.error().message;
  const json::object again = json::parse(request_text(*request)).as_object();
  for (const std::string_view field : request_fields()) {
    ASSERT_TRUE(again.contains(field)) << field;
    EXPECT_EQ(again.at(field), full.at(field)) << field;
  }
}

TEST(RequestText, WhatIsEmptyIsLeftOut) {
  Request request;
  request.query = "hi";
  EXPECT_EQ(request_text(request), R"({"query":"hi"})");
}

}  // namespace
}  // namespace signalbox

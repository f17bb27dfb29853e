#include "wire/request_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "wire/request_text.h"

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Request> read(std::string_view text) {
  auto object = parse_json_object(text);
  if (!object) return tl::unexpected(object.error());
  return request_from_json(*object);
}

std::string complaint(std::string_view text) {
  const auto request = read(text);
  if (request) return "(taken)";
  EXPECT_EQ(request.error().code, ErrorCode::InvalidInput);
  return request.error().message;
}

TEST(RequestJson, EveryFieldArrives) {
  const auto request = read(R"({
    "query": "¿cuánto?", "profile": "agents", "session_id": "s-1", "route": "triage",
    "history": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}],
    "intent_history": [{"type": "RETRIEVAL", "topic": "loops"}],
    "active_app": "trip_planner", "app_state": {"items": [1, {"a": null}]},
    "awaiting": {"kind": "choose", "text": "which?", "options": ["a", "b"]},
    "attachments": [{"name": "bill.pdf", "mime": "application/pdf", "text": "total 12", "url": "data:,x"}],
    "extra_context": "plan: pro", "allowlist": {"orders": ["total", "state"], "empty": []},
    "evidence": {"rag_hits": 3, "rag_min_score": 0.7, "seen": true, "gone": "absent", "lost": null},
    "metadata": {"tenant": "t", "depth": 3, "tags": ["x"]}, "deadline_ms": 250})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->query, "¿cuánto?");
  EXPECT_EQ(request->profile, "agents");
  EXPECT_EQ(request->session_id, "s-1");
  EXPECT_EQ(request->route, "triage");
  ASSERT_EQ(request->history.size(), 2U);
  EXPECT_EQ(request->history[1].role, "assistant");
  EXPECT_EQ(request->history[1].content, "hello");
  ASSERT_EQ(request->intent_history.size(), 1U);
  EXPECT_EQ(request->intent_history[0].type, "RETRIEVAL");
  EXPECT_EQ(request->intent_history[0].topic, "loops");
  EXPECT_EQ(request->active_app, "trip_planner");
  EXPECT_EQ(request->app_state, R"({"items":[1,{"a":null}]})");
  ASSERT_TRUE(request->awaiting.has_value());
  EXPECT_EQ(request->awaiting->kind, AwaitKind::Choose);
  EXPECT_EQ(request->awaiting->text, "which?");
  EXPECT_THAT(request->awaiting->options, ElementsAre("a", "b"));
  ASSERT_EQ(request->attachments.size(), 1U);
  EXPECT_EQ(request->attachments[0].name, "bill.pdf");
  EXPECT_EQ(request->attachments[0].mime, "application/pdf");
  EXPECT_EQ(request->attachments[0].text, "total 12");
  EXPECT_EQ(request->attachments[0].url, "data:,x");
  EXPECT_EQ(request->extra_context, "plan: pro");
  EXPECT_THAT(request->allowlist.at("orders"), ElementsAre("total", "state"));
  EXPECT_TRUE(request->allowlist.at("empty").empty());
  EXPECT_EQ(std::get<double>(request->evidence.at("rag_hits")), 3);
  EXPECT_EQ(std::get<double>(request->evidence.at("rag_min_score")), 0.7);
  EXPECT_EQ(std::get<bool>(request->evidence.at("seen")), true);
  EXPECT_EQ(std::get<std::string>(request->evidence.at("gone")), "absent");
  EXPECT_EQ(std::get<std::string>(request->evidence.at("lost")), "unknown");
  EXPECT_EQ(request->metadata.at("tenant"), "t");
  EXPECT_EQ(request->metadata.at("depth"), "3");
  EXPECT_EQ(request->metadata.at("tags"), R"(["x"])");
  EXPECT_EQ(request->deadline_ms, 250);
}

TEST(RequestText, WhatIsWrittenIsReadAgain) {
  const std::string text =
      R"({"query":"¿cuánto?","profile":"agents","session_id":"s-1","route":"triage","active_app":"trip",)"
      R"("extra_context":"plan: pro","app_state":{"items":[1]},)"
      R"("awaiting":{"kind":"choose","text":"which?","options":["a","b"]},)"
      R"("history":[{"role":"user","content":"hi"}],"intent_history":[{"type":"RETRIEVAL","topic":"loops"}],)"
      R"("attachments":[{"name":"bill.pdf","mime":"application/pdf","text":"total 12"}],)"
      R"("allowlist":{"orders":["total"]},"evidence":{"rag_hits":3,"seen":true,"x":"absent"},)"
      R"("metadata":{"tenant":"t"},"deadline_ms":250})";
  const auto request = read(text);
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request_text(*request), text);
  EXPECT_EQ(request_text(*read(R"({"query":"q"})")), R"({"query":"q"})");
}

TEST(RequestJson, EveryKindOfWaitingIsKnown) {
  const auto kind = [](const std::string& name) {
    const auto request = read(R"({"query": "", "awaiting": {"kind": ")" + name + R"("}})");
    EXPECT_TRUE(request) << name;
    return request->awaiting->kind;
  };
  EXPECT_EQ(kind("confirm"), AwaitKind::Confirm);
  EXPECT_EQ(kind("clarify"), AwaitKind::Clarify);
  EXPECT_EQ(kind("choose"), AwaitKind::Choose);
  EXPECT_EQ(kind("fill"), AwaitKind::Fill);
}

TEST(RequestJson, NullIsTheSameAsLeftOut) {
  const auto request =
      read(R"({"query": "hi", "profile": null, "session_id": null, "route": null, "history": null,
    "intent_history": null, "active_app": null, "app_state": null, "awaiting": null, "attachments": null,
    "extra_context": null, "allowlist": null, "evidence": null, "metadata": null, "deadline_ms": null})");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->query, "hi");
  EXPECT_TRUE(request->profile.empty() && request->session_id.empty() && request->route.empty());
  EXPECT_TRUE(request->history.empty() && request->intent_history.empty() &&
              request->attachments.empty());
  EXPECT_FALSE(request->awaiting.has_value());
  EXPECT_EQ(request->deadline_ms, 0);
}

TEST(RequestJson, AWrongTypeNamesItsField) {
  for (const char* field : {"query", "profile", "session_id", "route", "active_app", "extra_context"}) {
    const std::string text = std::string(R"({"query": "q", ")") + field + R"(": 7})";
    EXPECT_EQ(complaint(text), std::string(field) + ": expected a string");
  }
  EXPECT_EQ(complaint(R"({"query": "q", "history": {}})"), "history: expected a list");
  EXPECT_EQ(complaint(R"({"query": "q", "history": ["hi"]})"), "history: expected a list of objects");
  EXPECT_EQ(complaint(R"({"query": "q", "history": [{"role": 1}]})"),
            "history.role: expected a string");
  EXPECT_EQ(complaint(R"({"query": "q", "intent_history": [{"topic": []}]})"),
            "intent_history.topic: expected a string");
  EXPECT_EQ(complaint(R"({"query": "q", "attachments": [{"text": false}]})"),
            "attachments.text: expected a string");
  EXPECT_EQ(complaint(R"({"query": "q", "app_state": []})"), "app_state: expected an object");
  EXPECT_EQ(complaint(R"({"query": "q", "awaiting": "yes"})"), "awaiting: expected an object");
  EXPECT_THAT(complaint(R"({"query": "q", "awaiting": {"kind": "wait"}})"), HasSubstr("awaiting.kind"));
  EXPECT_THAT(complaint(R"({"query": "q", "awaiting": {"kind": "fill", "options": [1]}})"),
              HasSubstr("awaiting.options"));
  EXPECT_THAT(complaint(R"({"query": "q", "allowlist": ["orders"]})"), HasSubstr("allowlist"));
  EXPECT_THAT(complaint(R"({"query": "q", "allowlist": {"orders": "total"}})"),
              HasSubstr("allowlist.orders"));
  EXPECT_THAT(complaint(R"({"query": "q", "evidence": {"rag_hits": [1]}})"),
              HasSubstr("evidence.rag_hits"));
  EXPECT_EQ(complaint(R"({"query": "q", "metadata": 1})"), "metadata: expected an object");
}

TEST(RequestJson, ADeadlineIsAWholeNumberThatIsNotNegative) {
  for (const char* value : {"-1", "1.5", "\"100\"", "1e400", "99999999999999999999"}) {
    const std::string text = std::string(R"({"query": "q", "deadline_ms": )") + value + "}";
    EXPECT_NE(complaint(text), "(taken)") << value;
  }
  EXPECT_EQ(complaint(R"({"query": "q", "deadline_ms": 0})"), "(taken)");
}

TEST(RequestJson, AQueryMayBeEmptyButNotMissing) {
  EXPECT_EQ(complaint(R"({"query": ""})"), "(taken)");
  EXPECT_EQ(complaint(R"({"profile": "agents"})"), "query: is missing");
}

TEST(RequestJson, AMisspeltFieldIsAnErrorWithASuggestion) {
  EXPECT_EQ(complaint(R"({"query": "q", "atachments": []})"),
            "unknown field 'atachments'; did you mean 'attachments'?");
  EXPECT_EQ(complaint(R"({"query": "q", "zzzzzzzzzzzz": 1})"), "unknown field 'zzzzzzzzzzzz'");
}

TEST(RequestJson, OnlyTheFieldsTheCallerAllowsMayComeOnTop) {
  const auto object = parse_json_object(R"({"query": "q", "id": 4})");
  ASSERT_TRUE(object);
  EXPECT_FALSE(request_from_json(*object));
  static constexpr std::array<std::string_view, 1> kAlso{"id"};
  EXPECT_TRUE(request_from_json(*object, kAlso));
}

TEST(ParseJsonObject, TakesOneObjectOfBoundedDepth) {
  EXPECT_TRUE(parse_json_object("{}"));
  EXPECT_FALSE(parse_json_object(""));
  EXPECT_FALSE(parse_json_object("[1]"));
  EXPECT_FALSE(parse_json_object("{} {}"));
  EXPECT_FALSE(parse_json_object("{\"a\": 1,}"));
  EXPECT_FALSE(parse_json_object("{\"a\": \"\xFF\"}"));
  const auto nested = [](int depth) {
    return R"({"a":)" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  EXPECT_TRUE(parse_json_object(nested(20)));
  EXPECT_FALSE(parse_json_object(nested(100'000)));
}

TEST(ParseJsonObject, SaysWhereItStopsBeingJson) {
  EXPECT_THAT(complaint(R"({"query": oops})"), HasSubstr("at offset 10"));
  EXPECT_THAT(complaint("{\"query\": \"caf\xE9\"}"), HasSubstr("bad byte 0xE9 at offset 14"));
  EXPECT_THAT(complaint(R"({"query": "q"} x)"), HasSubstr("at offset 15"));
  EXPECT_THAT(complaint(R"({"query": "q")"), HasSubstr("incomplete"));
}

}  // namespace
}  // namespace signalbox

#include "wire/decision_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wire/decision_text.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;

Decision full_decision() {
  Decision d;
  d.profile = "knowledge";
  d.session_id = "s-1";
  d.query = "compare it with \"that\"";
  d.resolved_query = "compare A with B";
  d.language = "en";
  d.route = "conceptual";
  d.confidence = 0.123456;
  d.tier = Tier::Confirm;
  d.decided_by = DecidedBy::Ensemble;
  d.rule = "KN-1";
  d.reason = "because";
  d.alternatives = {{"exact", 0.25}};
  d.intents = {{"exact", 0.5, "find A"}};
  d.signals = {"one", "two"};
  d.evidence = {{"allowlist", Presence::Absent},
                {"attachment", Presence::Present},
                {"retrieval", Presence::Unknown}};
  d.tables = {"orders"};
  d.columns = {"total"};
  d.supervisor = {true, "exact", "fallback"};
  d.retrieval = true;
  d.model = {"main", "small"};
  d.target = {"tool", "search"};
  Plan plan;
  plan.query_type = "conceptual";
  plan.complexity = "complex";
  plan.sub_questions = {{"what is A", "A"}};
  plan.suggested_tools = {"hybrid_search"};
  plan.grep_keywords = {"A", "B"};
  plan.tool_calls = {{"c1", "hybrid_search", {{"query", "what is A"}}, {"c0"}}};
  d.plan = plan;
  d.ask = Ask{"confirm", "really?", {"yes", "no"}};
  d.violations = {"KN-01"};
  d.trace = {{"normalize", "5 words, en", 3}};
  d.llm_calls = 2;
  d.elapsed_us = 41;
  return d;
}

TEST(DecisionJson, EveryFieldOfTheDesignIsThereUnderItsName) {
  const json::value expected = json::parse(R"({
    "profile": "knowledge", "session_id": "s-1", "query": "compare it with \"that\"",
    "resolved_query": "compare A with B", "language": "en", "route": "conceptual", "confidence": 0.1235,
    "tier": "confirm", "decided_by": "ensemble", "rule": "KN-1", "reason": "because",
    "alternatives": [{"route": "exact", "confidence": 0.25}],
    "intents": [{"route": "exact", "confidence": 0.5, "text": "find A"}], "signals": ["one", "two"],
    "evidence": {"allowlist": "absent", "attachment": "present", "retrieval": "unknown"},
    "tables": ["orders"], "columns": ["total"],
    "supervisor": {"changed": true, "from": "exact", "rule": "fallback"}, "retrieval": true,
    "model": {"slot": "main", "name": "small"}, "target": {"kind": "tool", "name": "search"},
    "plan": {"query_type": "conceptual", "complexity": "complex",
             "sub_questions": [{"semantic_intent": "what is A", "search_keywords": "A"}],
             "suggested_tools": ["hybrid_search"], "grep_keywords": ["A", "B"],
             "tool_calls": [{"id": "c1", "tool": "hybrid_search", "arguments": {"query": "what is A"}, "after": ["c0"]}]},
    "ask": {"kind": "confirm", "text": "really?", "options": ["yes", "no"]},
    "contract": {"violations": ["KN-01"]},
    "trace": [{"step": "normalize", "outcome": "5 words, en", "us": 3}], "llm_calls": 2, "elapsed_us": 41})");
  const json::value got = decision_to_json(full_decision());
  for (const auto& [name, value] : expected.get_object()) {
    ASSERT_TRUE(got.get_object().contains(name)) << name;
    EXPECT_EQ(got.at(name), value) << name;
  }
  EXPECT_EQ(got.get_object().size(), expected.get_object().size());
  EXPECT_EQ(json::parse(json::serialize(got)), got);
}

TEST(DecisionJson, WhatThereIsNotIsNull) {
  const json::object got = decision_to_json(Decision{});
  for (const char* name : {"route", "rule", "target", "plan", "ask"})
    EXPECT_TRUE(got.at(name).is_null()) << name;
  EXPECT_TRUE(got.at("model").at("slot").is_null());
  EXPECT_TRUE(got.at("model").at("name").is_null());
  EXPECT_TRUE(got.at("supervisor").at("from").is_null());
  EXPECT_EQ(got.at("supervisor").at("changed"), false);
  EXPECT_TRUE(got.at("alternatives").get_array().empty());
}

TEST(DecisionJson, EveryTierAndMakerHasItsName) {
  Decision decision;
  const auto name_of = [&](const char* field) {
    return std::string(decision_to_json(decision).at(field).get_string());
  };
  const std::pair<Tier, const char*> tiers[] = {{Tier::Clear, "clear"},
                                                {Tier::Confirm, "confirm"},
                                                {Tier::Clarify, "clarify"},
                                                {Tier::MultiIntent, "multi_intent"}};
  for (const auto& [tier, name] : tiers) {
    decision.tier = tier;
    EXPECT_EQ(name_of("tier"), name);
  }
  const std::pair<DecidedBy, const char*> makers[] = {
      {DecidedBy::Declared, "declared"},     {DecidedBy::Awaiting, "awaiting"},
      {DecidedBy::FastPath, "fast_path"},    {DecidedBy::Cache, "cache"},
      {DecidedBy::Gatekeeper, "gatekeeper"}, {DecidedBy::Llm, "llm"},
      {DecidedBy::Ensemble, "ensemble"},     {DecidedBy::Heuristic, "heuristic"},
      {DecidedBy::Fallback, "fallback"}};
  for (const auto& [maker, name] : makers) {
    decision.decided_by = maker;
    EXPECT_EQ(name_of("decided_by"), name);
  }
}

TEST(ErrorJson, HasTheShapeThatClientsKnow) {
  const json::object mine = error_to_json({ErrorCode::InvalidInput, "query: is missing"});
  EXPECT_EQ(
      mine.at("error"),
      json::parse(
          R"({"message": "query: is missing", "type": "invalid_request_error", "code": "invalid_input"})"));
  const json::object missing = error_to_json({ErrorCode::NotFound, "no profile 'x'"});
  EXPECT_EQ(missing.at("error").at("type"), "invalid_request_error");
  EXPECT_EQ(missing.at("error").at("code"), "not_found");
  const json::object theirs = error_to_json({ErrorCode::Overloaded, "queue full"});
  EXPECT_EQ(theirs.at("error").at("type"), "server_error");
  EXPECT_EQ(theirs.at("error").at("code"), "overloaded");
}

TEST(DecisionText, IsTheTextOfTheTree) {
  for (Decision decision : {full_decision(), Decision{}}) {
    decision.reason = "a \"quote\", a \\, \x01\n\t\x7F and çé 中";
    std::string text;
    append_decision(text, decision);
    EXPECT_EQ(text, json_text(decision_to_json(decision)));
    for (const double confidence : {0.0, 1.0, 0.5, 0.99995, 0.00004, 0.1 + 0.2}) {
      decision.confidence = confidence;
      text.clear();
      append_decision(text, decision);
      EXPECT_EQ(text, json_text(decision_to_json(decision)));
    }
  }
}

TEST(DecisionText, AnErrorIsTheTextOfTheTreeToo) {
  for (const ErrorCode code : {ErrorCode::InvalidInput, ErrorCode::Overloaded}) {
    std::string text;
    append_error(text, {code, "it \"broke\""});
    EXPECT_EQ(text, json_text(error_to_json({code, "it \"broke\""})));
  }
}

}  // namespace
}  // namespace signalbox

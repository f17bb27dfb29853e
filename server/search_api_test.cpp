// The index of a profile, asked over HTTP.

#include <fmt/format.h>

#include "test/fakes/serving_case.h"
#include "test/fakes/test_folder.h"

namespace signalbox {
namespace {

using testing::HasSubstr;

class SearchApiTest : public ServingCase {
 protected:
  SearchApiTest() {
    docs.write("guide.md", "# Guide\n\nThe retry limit is MAX_RETRIES = 5.\n\nSee [[Ledger]].\n");
    docs.write("ledger.md", "# Ledger\n\nEvery payment is written twice.\n");
    docs.write("invoices.md", "# Invoices\n\nA payment closes an invoice.\n");
    docs.index();
  }
  void serve_with_index() {
    write("desk.yaml", kDesk + std::string("index: ") + docs.out() + "\n");
    start();
  }
  json::value ask(const std::string& target, const std::string& body, int status = 200) {
    const HttpHeard heard = post(target, body);
    EXPECT_EQ(heard.status, status) << heard.body;
    return json_of(heard);
  }
  TestFolder docs;
};

TEST_F(SearchApiTest, EveryModeFindsThePassage) {
  serve_with_index();
  for (const char* mode : {"hybrid", "words", "grep"}) {
    const json::value found =
        ask("/v1/search", fmt::format(R"({{"query": "MAX_RETRIES", "mode": "{}", "k": 3}})", mode));
    EXPECT_EQ(found.at("profile"), "desk");
    ASSERT_FALSE(found.at("matches").as_array().empty()) << mode;
    const json::value& first = found.at("matches").at(0);
    EXPECT_EQ(first.at("number"), 1);
    EXPECT_EQ(first.at("file"), "guide.md") << mode;
    EXPECT_THAT(std::string(first.at("text").as_string()), HasSubstr("MAX_RETRIES = 5"));
  }
}

TEST_F(SearchApiTest, AToolIsCalledByItsName) {
  serve_with_index();
  const json::value related = ask("/v1/tools/graph_related", R"({"key": "ledger"})");
  ASSERT_EQ(related.at("related").as_array().size(), 1U);
  EXPECT_EQ(related.at("related").at(0).at("direction"), "in");
  EXPECT_EQ(related.at("files").at(0), "guide.md");
  const json::value lines = ask("/v1/tools/read_file?profile=desk", R"({"path": "ledger.md"})");
  EXPECT_THAT(std::string(lines.at("matches").at(0).at("text").as_string()), HasSubstr("twice"));
  EXPECT_EQ(json_of(get("/v1/tools")).at("data").as_array().size(), 6U);
}

TEST_F(SearchApiTest, TheSessionRemembersWhatWasListed) {
  serve_with_index();
  ask("/v1/search", R"({"query": "payment invoice", "mode": "words", "session_id": "s1"})");
  const json::value session = json_of(get("/v1/sessions/s1"));
  EXPECT_EQ(session.at("results"), (json::array{"invoices.md", "ledger.md"})) << session;
}

TEST_F(SearchApiTest, WhatIsWrongIsSaid) {
  serve_with_index();
  const auto message = [&](const std::string& target, const std::string& body, int status) {
    return std::string(ask(target, body, status).at("error").at("message").as_string());
  };
  EXPECT_EQ(message("/v1/search", "{}", 400), "query: expected some text");
  EXPECT_EQ(message("/v1/search", R"({"query": "a", "mod": "b"})", 400), "unknown field 'mod'");
  EXPECT_THAT(message("/v1/search", R"({"query": "a", "mode": "b"})", 400),
              HasSubstr("mode: expected"));
  EXPECT_THAT(message("/v1/search", R"({"query": "a", "k": 0})", 400), HasSubstr("from 1 to 100"));
  EXPECT_THAT(message("/v1/search", R"({"query": "a", "profile": "other"})", 404),
              HasSubstr("no index"));
  EXPECT_THAT(message("/v1/tools/read_file", R"({"path": "../x"})", 400), HasSubstr("NOT_ALLOWED"));
  EXPECT_THAT(message("/v1/tools/web_fetch", "{}", 404), HasSubstr("UNKNOWN_TOOL"));
}

TEST_F(SearchApiTest, WithoutAnIndexItSaysHowToNameOne) {
  start();
  EXPECT_THAT(
      std::string(ask("/v1/search", R"({"query": "a"})", 404).at("error").at("message").as_string()),
      HasSubstr("SIGNALBOX_INDEX"));
}

}  // namespace
}  // namespace signalbox

#include "llm/answer_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace signalbox {
namespace {

namespace json = boost::json;

Profile profile_with(std::vector<std::string> routes) {
  Profile profile;
  for (std::string& name : routes) {
    Route route;
    route.name = std::move(name);
    profile.routes.push_back(std::move(route));
  }
  return profile;
}

TEST(AnswerSchema, ReasoningStandsBeforeTheRoute) {
  const std::string text = AnswerSchema(profile_with({"A", "B"})).for_request({});
  EXPECT_EQ(text, R"({"type":"object","properties":{"reasoning":{"type":"string","maxLength":160},)"
                  R"("route":{"type":"string","enum":["A","B"]},)"
                  R"("confidence":{"type":"number","minimum":0,"maximum":1}},)"
                  R"("required":["reasoning","route","confidence"],"additionalProperties":false})");
}

TEST(AnswerSchema, NamesFewTablesAndColumnsOneByOne) {
  Request request;
  request.allowlist = {{"orders", {"total", "id"}}, {"we\"ird", {"id"}}};
  const json::value schema = json::parse(AnswerSchema(profile_with({"A"})).for_request(request));
  EXPECT_EQ(json::serialize(schema.at("properties").at("tables").at("items").at("enum")),
            R"(["orders","we\"ird"])");
  EXPECT_EQ(json::serialize(schema.at("properties").at("columns").at("items").at("enum")),
            R"(["id","total"])");
}

TEST(AnswerSchema, ManyColumnsAreAnyText) {
  Request request;
  for (int i = 0; i < 300; ++i) request.allowlist["t"].push_back("c" + std::to_string(i));
  const json::value schema = json::parse(AnswerSchema(profile_with({"A"})).for_request(request));
  EXPECT_FALSE(schema.at("properties").at("columns").at("items").as_object().contains("enum"));
  EXPECT_TRUE(schema.at("properties").at("tables").at("items").as_object().contains("enum"));
}

TEST(ScoresSchema, HoldsANumberForEachCandidate) {
  const std::vector<std::string> routes{"B", "A"};
  const json::value schema = json::parse(scores_schema(routes));
  const json::value& scores = schema.at("properties").at("scores");
  EXPECT_EQ(json::serialize(scores.at("required")), R"(["B","A"])");
  EXPECT_EQ(scores.at("properties").at("A").at("maximum"), 1);
  EXPECT_EQ(json::serialize(schema.at("required")), R"(["reasoning","scores"])");
}

}  // namespace
}  // namespace signalbox

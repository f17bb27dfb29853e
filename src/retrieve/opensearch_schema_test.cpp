#include "retrieve/opensearch_schema.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "retrieve/opensearch_client.h"
#include "test/fakes/fake_http_client.h"
#include "test/fakes/scoped_env.h"

namespace signalbox {
namespace {

namespace json = boost::json;

TEST(OpenSearchSchemaTest, ServersAreToldApart) {
  EXPECT_EQ(server_kind_of(json::parse(R"({"version":{"distribution":"opensearch"}})")),
            ServerKind::OpenSearch);
  EXPECT_EQ(server_kind_of(json::parse(R"({"version":{"number":"8.11.0"}})")),
            ServerKind::Elasticsearch);
}

TEST(OpenSearchSchemaTest, EachServerGetsVectorsInItsOwnWords) {
  const RemoteSettings settings{"/docs", "", "w", 8, 2};
  const auto field = [&](ServerKind kind) {
    return json::parse(template_json(kind, "docs", settings))
        .at_pointer("/template/mappings/properties/vector")
        .as_object();
  };
  EXPECT_EQ(field(ServerKind::OpenSearch).at("type"), "knn_vector");
  EXPECT_EQ(field(ServerKind::OpenSearch).at("dimension"), 8);
  EXPECT_EQ(field(ServerKind::Elasticsearch).at("type"), "dense_vector");
  EXPECT_EQ(field(ServerKind::Elasticsearch).at("dims"), 8);
  EXPECT_TRUE(
      json::parse(vector_query(ServerKind::OpenSearch, {1, 0}, 5)).as_object().contains("query"));
  EXPECT_EQ(json::parse(vector_query(ServerKind::Elasticsearch, {1, 0}, 5)).at_pointer("/knn/k"), 5);
}

TEST(OpenSearchSchemaTest, SettingsComeBackAsTheyWereWritten) {
  const json::value made =
      json::parse(template_json(ServerKind::OpenSearch, "docs", {"/docs", "onnx:x", "w", 8, 2.5}));
  const json::value mapping{{"docs", {{"mappings", made.at_pointer("/template/mappings")}}}};
  const auto settings = settings_of(mapping);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->root, "/docs");
  EXPECT_EQ(settings->encoder, "onnx:x");
  EXPECT_EQ(settings->dimensions, 8);
  EXPECT_EQ(settings->title_weight, 2.5);
  EXPECT_EQ(settings_of(json::parse(R"({"docs":{"mappings":{}}})")).error().code, ErrorCode::Corrupt);
}

TEST(OpenSearchSchemaTest, WordsTravelAsTheSameTokensInDocumentAndQuestion) {
  PreparedFile file;
  file.file.path = "a.md";
  PreparedChunk chunk;
  chunk.chunk = {1, 2, "Refunds", "Money is refunded. 索引管线"};
  const json::value document = json::parse(chunk_json(file, chunk, "r1"));
  const json::value query = json::parse(words_query("refund 索引", 5, 1.5));
  const json::value& match = query.at_pointer("/query/bool/must/multi_match");
  const std::string asked(match.at("query").as_string());
  const std::string words(document.at("words").as_string());
  EXPECT_NE(words.find(asked.substr(0, asked.find(' '))), std::string::npos) << words;
  EXPECT_EQ(match.at("fields").at(1), "title_words^1.5");
  EXPECT_FALSE(document.as_object().contains("vector"));
}

TEST(OpenSearchSchemaTest, WhatIsNoAnswerIsRefused) {
  EXPECT_FALSE(ids_of(json::parse("[]")));
  EXPECT_FALSE(ids_of(json::parse(R"({"hits": 5})")));
  EXPECT_NE(ids_of(json::parse(R"({"error":{"reason":"no k-NN"}})")).error().message.find("no k-NN"),
            std::string::npos);
  Hit hit;
  EXPECT_FALSE(hit_of(json::parse(R"({"_id":"a","found":false})"), hit));
}

TEST(OpenSearchAddressTest, TheNameIsBehindTheLastSlash) {
  const auto address = parse_opensearch_address("opensearch:https://search.example:9200/base/docs-1");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->url, "https://search.example:9200/base");
  EXPECT_EQ(address->index, "docs-1");
  for (const char* bad : {"opensearch:", "opensearch:https://h/", "opensearch:https://h/_all",
                          "opensearch:https://h/Docs", "opensearch:ftp://h/docs"})
    EXPECT_FALSE(parse_opensearch_address(bad)) << bad;
}

TEST(OpenSearchClientTest, KeysComeFromTheEnvironmentAndNeverTravelInTheClear) {
  const ScopedEnv key("SIGNALBOX_SEARCH_KEY", "secret");
  EXPECT_FALSE(OpenSearchClient::create({"http://search.example:9200", "docs"}));
  auto http = std::make_shared<FakeHttpClient>(
      std::vector<HttpResult<HttpResponse>>{HttpResponse{{401, {}}, "{}"}});
  const auto client = OpenSearchClient::create({"https://search.example:9200", "docs"}, http);
  ASSERT_TRUE(client);
  const auto refused = (*client)->call("GET", "/", "", std::chrono::seconds(1));
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(refused.error().message.find("secret"), std::string::npos);
  bool is_sent = false;
  const HttpRequest asked = http->requests().front();
  for (const HttpHeader& header : asked.headers)
    is_sent = is_sent || (header.name == "Authorization" && header.value == "ApiKey secret");
  EXPECT_TRUE(is_sent);
}

}  // namespace
}  // namespace signalbox

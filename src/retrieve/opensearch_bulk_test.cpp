#include "retrieve/opensearch_bulk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/fakes/fake_http_client.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;

HttpResponse answer(int status, std::string body, std::vector<HttpHeader> headers = {}) {
  return {{status, std::move(headers)}, std::move(body)};
}

// What a server says of each document in turn.
HttpResponse outcomes(const std::vector<int>& statuses) {
  std::string items;
  for (const int status : statuses) {
    items += fmt::format(
        R"({}{{"index":{{"status":{}{}}}}})", items.empty() ? "" : ",", status,
        status < 300 ? ""
                     : R"(,"error":{"type":"rejected_execution_exception","reason":"queue full"})");
  }
  return answer(200, R"({"errors":true,"items":[)" + items + "]}");
}

class BulkTest : public testing::Test {
 protected:
  void open(std::vector<HttpResult<HttpResponse>> answers, std::size_t max_bytes = 1 << 20) {
    http = std::make_shared<FakeHttpClient>(std::move(answers), 4096);
    client = *OpenSearchClient::create({"http://127.0.0.1:9200", "docs"}, http);
    BulkOptions options;
    options.max_bytes = max_bytes;
    options.max_tries = 3;
    options.wait = [this](Duration time) { waits.push_back(time); };
    bulk = std::make_unique<BulkWriter>(*client, options);
  }
  std::string body(std::size_t request) const { return http->requests().at(request).body; }

  std::shared_ptr<FakeHttpClient> http;
  std::shared_ptr<OpenSearchClient> client;
  std::unique_ptr<BulkWriter> bulk;
  std::vector<Duration> waits;
};

TEST_F(BulkTest, ABulkIsSentWhenItIsFull) {
  open({outcomes({201, 201}), outcomes({201})}, 120);
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(bulk->index(id, R"({"text":"0123456789"})"));
  ASSERT_EQ(http->requests().size(), 1U);
  EXPECT_LE(body(0).size(), 120U);
  ASSERT_TRUE(bulk->flush());
  EXPECT_EQ(body(1), "{\"index\":{\"_id\":\"c\"}}\n{\"text\":\"0123456789\"}\n");
  EXPECT_EQ(http->requests()[0].url, "http://127.0.0.1:9200/docs/_bulk");
}

TEST_F(BulkTest, OnlyWhatWasRejectedIsSentAgain) {
  open({outcomes({201, 429, 201}), outcomes({201})});
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(bulk->index(id, "{}"));
  ASSERT_TRUE(bulk->flush());
  EXPECT_EQ(body(1), "{\"index\":{\"_id\":\"b\"}}\n{}\n");
  EXPECT_EQ(waits, std::vector<Duration>{100ms});
  EXPECT_EQ(bulk->retries(), 1U);
}

TEST_F(BulkTest, ABusyServerIsGivenTheTimeItAsksFor) {
  open({answer(429, "{}", {{"Retry-After", "2"}}), answer(503, "{}"), outcomes({201})});
  ASSERT_TRUE(bulk->index("a", "{}"));
  ASSERT_TRUE(bulk->flush());
  EXPECT_EQ(waits, (std::vector<Duration>{2s, 200ms}));
}

TEST_F(BulkTest, AServerThatStaysBusyEndsIt) {
  open({answer(429, R"({"error":{"type":"busy","reason":"full"}})")});
  ASSERT_TRUE(bulk->index("a", "{}"));
  const auto sent = bulk->flush();
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::Overloaded);
  EXPECT_EQ(sent.error().message, "the search server stays busy: busy: full");
  EXPECT_EQ(http->requests().size(), 4U);
}

TEST_F(BulkTest, ABulkThatIsTooLargeIsCutInHalf) {
  open({answer(413, "too large"), outcomes({201}), outcomes({201})});
  const std::string large = "{\"text\":\"" + std::string(100'000, 'x') + "\"}";
  ASSERT_TRUE(bulk->index("a", large));
  ASSERT_TRUE(bulk->index("b", large));
  ASSERT_TRUE(bulk->flush());
  ASSERT_EQ(http->requests().size(), 3U);
  EXPECT_LT(body(1).size(), 110'000U);
}

TEST_F(BulkTest, ADocumentThatIsRefusedIsSaid) {
  open({outcomes({201, 400})});
  ASSERT_TRUE(bulk->index("a", "{}"));
  ASSERT_TRUE(bulk->index("b", "{}"));
  const auto sent = bulk->flush();
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::Upstream);
  EXPECT_NE(sent.error().message.find("queue full"), std::string::npos) << sent.error().message;
}

TEST_F(BulkTest, WhatIsGoneAlreadyNeedsNoDeletion) {
  open({answer(200, R"({"errors":false,"items":[{"delete":{"status":404,"result":"not_found"}}]})")});
  ASSERT_TRUE(bulk->remove("a"));
  EXPECT_TRUE(bulk->flush());
  EXPECT_EQ(body(0), "{\"delete\":{\"_id\":\"a\"}}\n");
}

}  // namespace
}  // namespace signalbox

#include "llm/http_llm.h"

#include <gmock/gmock.h>

#include <thread>

#include "test/fakes/fake_http_client.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKey = "sk-very-secret-0123456789";
constexpr const char* kWhole =
    R"({"model":"m","choices":[{"message":{"content":"fine"},"finish_reason":"stop"}]})";

HttpResult<HttpResponse> answer(int status, std::string body, std::vector<HttpHeader> headers = {}) {
  return HttpResponse{{status, std::move(headers)}, std::move(body)};
}

HttpResult<HttpResponse> broken(ErrorCode code, HttpPhase phase) {
  return tl::unexpected(HttpError{{code, "127.0.0.1:1: broken"}, phase, false});
}

LlmRequest ask(const std::string& prompt = "where does this message go?") {
  LlmRequest request;
  request.model = "m";
  LlmMessage message;
  message.role = "user";
  message.content = prompt;
  request.messages = {message};
  request.budget = 5s;
  return request;
}

class HttpLlmTest : public testing::Test {
 protected:
  Result<LlmAnswer> run(std::vector<HttpResult<HttpResponse>> answers, const TextSink& sink = {}) {
    http = std::make_shared<FakeHttpClient>(std::move(answers));
    HttpLlmOptions options;
    options.key = kKey;
    options.pause = 1ms;
    options.breaker.failures = 3;
    llm = std::make_unique<HttpLlm>(
        *openai_dialect("http://user:" + std::string(kKey) + "@127.0.0.1:1/v1"), http, options);
    return llm->complete(request, sink);
  }
  std::size_t calls() const { return http->requests().size(); }

  LlmRequest request = ask();
  std::shared_ptr<FakeHttpClient> http;
  std::unique_ptr<HttpLlm> llm;
};

TEST_F(HttpLlmTest, KeyGoesIntoOneHeader) {
  const auto got = run({answer(200, kWhole)});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->text, "fine");
  EXPECT_GT(got->usage.total, Duration::zero());
  const HttpRequest sent = http->requests().front();
  EXPECT_EQ(sent.method, "POST");
  EXPECT_TRUE(sent.is_repeatable);
  EXPECT_GT(sent.deadline, 4s);
  EXPECT_LE(sent.deadline, 5s);
  EXPECT_THAT(sent.body, Not(HasSubstr(kKey)));
  int with_key = 0;
  for (const HttpHeader& header : sent.headers)
    with_key += header.value.find(kKey) != std::string::npos ? 1 : 0;
  EXPECT_EQ(with_key, 1);
}

// Whatever a server writes into its error, neither the key nor the prompt comes back in a message.
TEST_F(HttpLlmTest, ErrorsHoldNeitherKeyNorPrompt) {
  for (const int status : {400, 401, 403, 404, 418, 429, 500, 503}) {
    for (const std::string& says :
         {std::string("Incorrect API key provided: ") + kKey, std::string("key sk-very-se... is wrong"),
          std::string("cannot parse 'where does this message go?'"), std::string(500, 'x')}) {
      const auto got = run({answer(status, R"({"error":{"message":")" + says + R"("}})")});
      ASSERT_FALSE(got);
      EXPECT_THAT(got.error().message, Not(HasSubstr("sk-very")));
      EXPECT_THAT(got.error().message, Not(HasSubstr("does this message")));
      EXPECT_LT(got.error().message.size(), 300U);
      EXPECT_THAT(got.error().message, HasSubstr("127.0.0.1:1"));
    }
  }
  const auto useful = run({answer(404, R"({"error":"model 'm' not found, try pulling it first"})")});
  EXPECT_THAT(useful.error().message, HasSubstr("try pulling it first"));
  const auto checked = llm->check("m", 1s);
  EXPECT_THAT(checked.error().message, Not(HasSubstr("sk-very")));
}

TEST_F(HttpLlmTest, StatusesBecomeCodes) {
  EXPECT_EQ(run({answer(400, "{}")}).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(run({answer(429, "{}")}).error().code, ErrorCode::Overloaded);
  EXPECT_EQ(run({answer(500, "{}")}).error().code, ErrorCode::Upstream);
  EXPECT_EQ(run({broken(ErrorCode::Timeout, HttpPhase::Sent)}).error().code, ErrorCode::Timeout);
  EXPECT_EQ(run({answer(401, "{}")}).error().code, ErrorCode::Upstream);
  EXPECT_THAT(run({answer(401, "{}")}).error().message, HasSubstr("refuses the key"));
}

TEST_F(HttpLlmTest, RefusedConnectionIsTriedAgain) {
  const auto got = run({broken(ErrorCode::Upstream, HttpPhase::Connect),
                        broken(ErrorCode::Upstream, HttpPhase::Sent), answer(200, kWhole)});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(calls(), 3U);
}

TEST_F(HttpLlmTest, TriesAreBounded) {
  EXPECT_FALSE(run({broken(ErrorCode::Upstream, HttpPhase::Connect)}));
  EXPECT_EQ(calls(), 3U);
}

TEST_F(HttpLlmTest, WhatMayHaveBeenAnsweredIsNotRepeated) {
  for (const auto& first :
       {broken(ErrorCode::Upstream, HttpPhase::Answer), broken(ErrorCode::Timeout, HttpPhase::Sent),
        answer(500, "{}"), answer(400, "{}"), answer(503, "{}"), answer(200, "garbage")}) {
    EXPECT_FALSE(run({first, answer(200, kWhole)}));
    EXPECT_EQ(calls(), 1U);
  }
}

TEST_F(HttpLlmTest, RetryAfterIsHeardInsideTheBudget) {
  ASSERT_TRUE(run({answer(429, "{}", {{"Retry-After", "0"}}), answer(200, kWhole)}));
  EXPECT_EQ(calls(), 2U);
  ASSERT_TRUE(run({answer(503, "{}", {{"retry-after-ms", "1"}}), answer(200, kWhole)}));
  EXPECT_EQ(calls(), 2U);
  const auto late = run({answer(429, "{}", {{"Retry-After", "60"}}), answer(200, kWhole)});
  ASSERT_FALSE(late) << "a minute does not fit into five seconds";
  EXPECT_EQ(late.error().code, ErrorCode::Overloaded);
  EXPECT_EQ(calls(), 1U);
  EXPECT_FALSE(run(
      {answer(429, "{}", {{"Retry-After", "Fri, 31 Dec 2100 23:59:59 GMT"}}), answer(200, kWhole)}));
  EXPECT_EQ(calls(), 1U);
  ASSERT_TRUE(run(
      {answer(429, "{}", {{"Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT"}}), answer(200, kWhole)}));
}

TEST_F(HttpLlmTest, CancelEndsThePauseBeforeARetry) {
  std::stop_source stop;
  request.cancel = stop.get_token();
  std::jthread later([&] { stop.request_stop(); });
  request.budget = {};
  const auto got = run({answer(429, "{}", {{"Retry-After", "100"}}), answer(200, kWhole)});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::Timeout);
}

TEST_F(HttpLlmTest, SinkThatHasEnoughGetsWhatCame) {
  const std::string stream =
      "data: {\"choices\":[{\"delta\":{\"content\":\"one\"}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\" two\"}}]}\n\ndata: [DONE]\n\n";
  int pieces = 0;
  const auto got = run({answer(200, stream)}, [&](std::string_view) { return ++pieces < 1; });
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->text, "one");
  EXPECT_EQ(got->finish, "stop");
  EXPECT_GT(got->usage.to_first_token, Duration::zero());
}

TEST_F(HttpLlmTest, RepeatedFailuresOpenTheBreaker) {
  run({answer(500, "{}")});
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(llm->complete(ask()));
  EXPECT_EQ(calls(), 3U) << "after three failures nobody is asked";
  EXPECT_EQ(llm->breaker(), BreakerState::Open);
  EXPECT_THAT(llm->complete(ask()).error().message, HasSubstr("resting"));
}

TEST_F(HttpLlmTest, RefusedRequestsDoNotOpenTheBreaker) {
  run({answer(400, "{}")});
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(llm->complete(ask()));
  EXPECT_EQ(calls(), 11U);
  EXPECT_EQ(llm->breaker(), BreakerState::Closed);
}

TEST_F(HttpLlmTest, CheckLooksForTheModel) {
  run({answer(200, R"({"data":[{"id":"a"},{"id":"b"}]})")});
  EXPECT_TRUE(llm->check("b", 1s));
  EXPECT_TRUE(llm->check("", 1s));
  const auto missing = llm->check("c", 1s);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "127.0.0.1:1: no model 'c'; there are a, b");
}

}  // namespace
}  // namespace signalbox

#include <sys/resource.h>

#include <atomic>
#include <thread>

#include "net/http_server.h"
#include "server/chat_forward.h"
#include "test/fakes/serving_case.h"

namespace signalbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A model server that answers as its handler says and remembers what it was asked.
class ChatTest : public ServingCase {
 protected:
  ChatTest() {
    HttpServerOptions upstream_options;
    upstream_options.listen = {"127.0.0.1:0"};
    upstream_options.threads = 1;
    upstream = *HttpServer::start(upstream_options, [this](const ServerRequest& request,
                                                           ServerReply& reply, AnswerLater& later) {
      if (request.body.find("my bill") == std::string_view::npos) {  // the server warms its model up
        reply.body = R"({"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]})";
        return;
      }
      ++calls;
      asked = std::string(request.body);
      path = std::string(request.path);
      authorization = std::string(request.header("authorization"));
      answer(request, reply, later);
    });
    write("desk.yaml", std::string(kDesk) + "slots:\n  main: {model: tiny, url: \"http://" +
                           upstream->addresses().front() + "\"}\nask:\n  clarify: true\n" +
                           "  texts: {clarify: {en: \"What do you need?\"}}\n");
    setenv("SIGNALBOX_LLM_KEY", "upstream-secret", 1);
  }
  ~ChatTest() override {
    serving.reset();
    unsetenv("SIGNALBOX_LLM_KEY");
  }
  HttpHeard chat(const std::string& more = "", const std::string& query = "my bill") const {
    return post("/v1/chat/completions",
                R"({"model": "auto", "messages": [{"role": "user", "content": ")" + query + "\"}]" +
                    more + "}");
  }

  std::unique_ptr<HttpServer> upstream;
  HttpHandler answer = [](const ServerRequest&, ServerReply& reply, AnswerLater&) {
    reply.body =
        R"({"id": "1", "choices": [{"message": {"content": "hello"}}], "usage": {"total_tokens": 3}})";
  };
  std::atomic<int> calls{0};
  std::string asked;
  std::string path;
  std::string authorization;
};

TEST_F(ChatTest, TheAnswerOfTheModelPassesUnchangedWithTheDecisionBesideIt) {
  start();
  const auto heard = chat(R"(, "tools": [ {"x" : 1.50} ], "seed": 7)");
  EXPECT_EQ(heard.status, 200);
  EXPECT_EQ(
      heard.body,
      R"({"id": "1", "choices": [{"message": {"content": "hello"}}], "usage": {"total_tokens": 3}})");
  EXPECT_EQ(heard.headers.at("x-signalbox-route"), "BILL");
  EXPECT_EQ(heard.headers.at("x-signalbox-rule"), "D-02");
  EXPECT_EQ(heard.headers.at("x-signalbox-model"), "tiny");
  EXPECT_EQ(path, "/v1/chat/completions");
  EXPECT_EQ(
      asked,
      R"({"model":"tiny","messages": [{"role": "user", "content": "my bill"}],"tools": [ {"x" : 1.50} ],"seed": 7})");
  EXPECT_EQ(authorization, "Bearer upstream-secret");
}

TEST_F(ChatTest, TheCallersOwnKeyNeverLeavesUs) {
  start();
  post("/v1/chat/completions", R"({"messages": [{"role": "user", "content": "my bill"}]})",
       "Authorization: Bearer sk-callers\r\n");
  EXPECT_EQ(authorization, "Bearer upstream-secret");
}

TEST_F(ChatTest, AStreamComesPieceByPieceWithTheDecisionBeforeItsEnd) {
  answer = [](const ServerRequest&, ServerReply&, AnswerLater& later) {
    const auto stream = later.take();
    ServerReply head;
    head.content_type = "text/event-stream";
    stream->begin(head);
    stream->write("data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\n");
    stream->write("data: {\"choices\":[]}\n\nda");  // the end mark may be cut anywhere
    stream->write("ta: [DO");
    stream->write("NE]\n\n");
    stream->end();
  };
  start();
  const auto plain = chat(R"(, "stream": true)");
  EXPECT_TRUE(plain.is_whole);
  EXPECT_EQ(plain.headers.at("content-type"), "text/event-stream");
  EXPECT_EQ(plain.body,
            "data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\ndata: {\"choices\":[]}\n\ndata: "
            "[DONE]\n\n");
  const auto told = chat(R"(, "stream": true, "signalbox": {"decision": true})");
  const std::size_t decision = told.body.find("\"signalbox\":{\"profile\":\"desk\"");
  ASSERT_NE(decision, std::string::npos) << told.body;
  EXPECT_LT(decision, told.body.find("data: [DONE]"));
  EXPECT_THAT(asked, Not(HasSubstr("signalbox")));
}

TEST_F(ChatTest, TheDecisionCanComeInsideAWholeAnswer) {
  start();
  EXPECT_EQ(json_of(chat(R"(, "signalbox": {"decision": true})")).at("signalbox").at("route"), "BILL");
}

TEST_F(ChatTest, DoubtIsAnsweredWithTheQuestionAndCostsNoModel) {
  std::string asks = std::string(kDesk) + "  - {id: vague, when: words.vague, tier: clarify}\n";
  asks.replace(asks.find("contract:"), asks.size() - asks.find("contract:"),
               "  - {id: D-03, when: words.vague, tier: clarify}\nask:\n  clarify: true\n  texts: "
               "{clarify: {en: \"What do "
               "you need?\"}}\n");
  asks.replace(asks.find("words:\n"), 7, "words:\n  vague: [something]\n");
  write("desk.yaml", asks);
  start();
  const auto heard = chat("", "something");
  EXPECT_EQ(json_of(heard).at("choices").at(0).at("message").at("content"), "What do you need?");
  EXPECT_EQ(json_of(heard).at("usage").at("total_tokens"), 0);
  EXPECT_EQ(heard.headers.at("x-signalbox-tier"), "clarify");
  const auto stream = chat(R"(, "stream": true)", "something");
  EXPECT_THAT(stream.body,
              AllOf(HasSubstr("What do you need?"), HasSubstr("\"finish_reason\":\"stop\""),
                    HasSubstr("data: [DONE]\n\n")));
  EXPECT_EQ(calls, 0);
}

TEST_F(ChatTest, WithoutAModelTheAnswerSaysWhatToSet) {
  write("desk.yaml", kDesk);
  start();
  const auto heard = chat();
  EXPECT_EQ(heard.status, 503);
  EXPECT_EQ(code_of(heard), "no_model");
  EXPECT_THAT(heard.body, HasSubstr("SIGNALBOX_LLM_URL"));
  EXPECT_EQ(heard.headers.at("x-signalbox-route"), "BILL");
}

TEST_F(ChatTest, AnErrorCarriesTheDecisionWhereItWasAskedFor) {
  write("desk.yaml", kDesk);
  start();
  const auto heard = chat(R"(, "signalbox": {"decision": true})");
  EXPECT_EQ(heard.status, 503);
  EXPECT_EQ(json_of(heard).at("signalbox").at("route"), "BILL");
  EXPECT_EQ(json_of(chat()).as_object().if_contains("signalbox"), nullptr);
}

TEST_F(ChatTest, TheDecisionCanComeBeforeTheAnswer) {
  start();
  answer = [](const ServerRequest&, ServerReply& reply, AnswerLater&) {
    reply.content_type = "text/event-stream";
    reply.body = "data: {\"hello\":1}\n\ndata: [DONE]\n\n";
  };
  const auto heard =
      chat(R"(, "stream": true, "signalbox": {"decision": true, "decision_first": true})");
  EXPECT_LT(heard.body.find("signalbox-decision"), heard.body.find("hello"));
  EXPECT_EQ(heard.body.find("signalbox-decision"), heard.body.rfind("signalbox-decision"));
  EXPECT_THAT(asked, Not(HasSubstr("signalbox")));
}

TEST_F(ChatTest, WhatTheModelServerRefusesIsToldInOurWords) {
  int status = 400;
  answer = [&](const ServerRequest&, ServerReply& reply, AnswerLater&) {
    reply.status = status;
    reply.add_header("retry-after", "7");
    reply.body = R"({"error": {"message": "no such tool"}})";
  };
  start();
  const auto expect = [&](int theirs, int ours, const std::string& code) {
    status = theirs;
    const auto heard = chat();
    EXPECT_EQ(heard.status, ours) << theirs;
    EXPECT_EQ(code_of(heard), code) << theirs;
    return heard;
  };
  EXPECT_THAT(expect(400, 400, "upstream_refused").body, HasSubstr("no such tool"));
  EXPECT_THAT(expect(401, 502, "upstream_refused_key").body, Not(HasSubstr("secret")));
  EXPECT_EQ(expect(429, 429, "upstream_rate_limited").headers.at("retry-after"), "7");
  expect(500, 502, "upstream_failed");
  expect(503, 503, "upstream_overloaded");
  upstream->stop(Duration::zero());
  expect(0, 502, "upstream_unreachable");
}

TEST_F(ChatTest, AnUpstreamThatBreaksOffDoesNotLookWhole) {
  answer = [](const ServerRequest&, ServerReply&, AnswerLater& later) {
    const auto stream = later.take();
    ServerReply head;
    head.content_type = "text/event-stream";
    stream->begin(head);
    stream->write("data: {\"choices\":[]}\n\n");
    stream->abort();
  };
  start();
  EXPECT_FALSE(chat(R"(, "stream": true)").is_whole);
}

TEST_F(ChatTest, AClientThatLeavesEndsTheCallToTheModel) {
  std::shared_ptr<ServerAnswer> held;
  std::atomic<bool> is_left{false};
  answer = [&](const ServerRequest&, ServerReply&, AnswerLater& later) {
    held = later.take();
    held->call_when_gone([&] { is_left = true; });
    ServerReply head;
    head.content_type = "text/event-stream";
    head.body = "data: {}\n\n";
    held->begin(head);
  };
  start();
  const int fd = connect_to(address);
  const std::string body = R"({"stream": true, "messages": [{"role": "user", "content": "my bill"}]})";
  const std::string request = "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n\r\n" + body;
  (void)!::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
  char buffer[4096];
  EXPECT_GT(::recv(fd, buffer, sizeof buffer, 0), 0);
  ::close(fd);
  for (int i = 0; i < 1000 && !is_left; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(is_left);
}

TEST_F(ChatTest, AThousandStreamsAreOpenAtOnce) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < 5000) GTEST_SKIP() << "four thousand sockets are not allowed here";
  std::mutex mutex;
  std::vector<std::shared_ptr<ServerAnswer>> held;
  answer = [&](const ServerRequest&, ServerReply&, AnswerLater& later) {
    const std::lock_guard lock(mutex);
    held.push_back(later.take());
    ServerReply head;
    head.content_type = "text/event-stream";
    head.body = "data: {}\n\n";
    held.back()->begin(head);
  };
  start();
  const std::string body = R"({"stream": true, "messages": [{"role": "user", "content": "my bill"}]})";
  const std::string request =
      "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: " +
      std::to_string(body.size()) + "\r\n\r\n" + body;
  std::vector<int> clients;
  for (int i = 0; i < 1000; ++i) {
    clients.push_back(connect_to(address));
    ASSERT_GE(clients.back(), 0) << i;
    (void)!::send(clients.back(), request.data(), request.size(), MSG_NOSIGNAL);
  }
  const auto opened = [&] {
    const std::lock_guard lock(mutex);
    return held.size();
  };
  for (int i = 0; i < 4000 && opened() < 1000; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_EQ(opened(), 1000U);
  {
    const std::lock_guard lock(mutex);
    for (const auto& stream : held) {
      stream->write("data: [DONE]\n\n");
      stream->end();
    }
    held.clear();
  }
  for (const int fd : clients) {
    std::string raw;
    char buffer[4096];
    for (auto n = ::recv(fd, buffer, sizeof buffer, 0); n > 0; n = ::recv(fd, buffer, sizeof buffer, 0))
      raw.append(buffer, static_cast<std::size_t>(n));
    ::close(fd);
    EXPECT_EQ(take_apart(raw).body, "data: {}\n\ndata: [DONE]\n\n");
  }
}

TEST_F(ChatTest, AnUnknownModelIsNotFound) {
  start();
  const auto heard = post("/v1/chat/completions",
                          R"({"model": "gpt-9", "messages": [{"role": "user", "content": "x"}]})");
  EXPECT_EQ(heard.status, 404);
  EXPECT_EQ(code_of(heard), "model_not_found");
}

TEST(WithDecision, StandsBeforeTheLastBrace) {
  EXPECT_EQ(with_decision("{\"a\":1} \n", "{}"), "{\"a\":1,\"signalbox\":{}} \n");
  EXPECT_EQ(with_decision("{ }", "{}"), "{ \"signalbox\":{}}");
  EXPECT_EQ(with_decision("[]", "{}"), "[]");
}

}  // namespace
}  // namespace signalbox

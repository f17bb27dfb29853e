// Chat completions build their prompt where `chat` does, let apps answer, and remember what was said.

#include <atomic>
#include <mutex>

#include "test/fakes/real_model.h"
#include "test/fakes/serving_case.h"

namespace signalbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kProfile = R"(profile: desk
description: A help desk.
languages: [en]
mode: local
fallback: TALK
gatekeeper: {enabled: false}
routes:
  TALK: {description: Talk., slot: main}
  ACCOUNT: {description: The account., slot: main, prompt: account.md}
words:
  account: [quota]
rules:
  - {id: D-01, when: words.account, route: ACCOUNT}
)";

class ChatAnswerTest : public ServingCase {
 protected:
  ChatAnswerTest() {
    HttpServerOptions model;
    model.listen = {"127.0.0.1:0"};
    model.threads = 1;
    upstream = *HttpServer::start(
        model, [this](const ServerRequest& request, ServerReply& reply, AnswerLater& later) {
          const std::lock_guard lock(mutex);
          const json::object body = json::parse(request.body).as_object();
          // The server warms its model up with a message of its own.
          if (request.body.find("what") != std::string_view::npos) asked = body;
          if (!body.contains("stream") || !body.at("stream").as_bool()) {
            reply.body = R"({"choices": [{"message": {"content": "1. Tea\n2. Coffee"}}]})";
            return;
          }
          const auto stream = later.take();
          ServerReply head;
          head.content_type = "text/event-stream";
          stream->begin(head);
          stream->write("data: {\"choices\":[{\"delta\":{\"content\":\"1. Te\"}}]}\n\ndata: {\"ch");
          stream->write("oices\":[{\"delta\":{\"content\":\"a\\n2. Coffee\"}}]}\n\ndata: [DONE]\n\n");
          stream->end();
        });
    write("account.md", "Answer from the account data.\n\n# Account data\n{extra_context}\n");
    write("desk.yaml", std::string(kProfile) + "slots:\n  main: {model: tiny, url: \"http://" +
                           upstream->addresses().front() + "\"}\n");
  }
  ~ChatAnswerTest() override { serving.reset(); }

  HttpHeard chat(const std::string& query, const std::string& more) const {
    return post("/v1/chat/completions",
                R"({"messages": [{"role": "user", "content": ")" + query + "\"}]" + more + "}");
  }
  json::array messages() {
    const std::lock_guard lock(mutex);
    return asked.at("messages").as_array();
  }
  json::object session(const std::string& id) const {
    return json_of(get("/v1/sessions/" + id)).as_object();
  }

  std::mutex mutex;
  json::object asked;  // guarded by mutex
  std::unique_ptr<HttpServer> upstream;
};

TEST_F(ChatAnswerTest, TheRoutesPromptIsFilledInFromTheRequestWhetherStreamedOrNot) {
  start();
  const std::string more = R"(, "temperature": 0.5, "signalbox": {"extra_context": "used: 20 %"})";
  chat("what is left of my quota?", more);
  const json::array whole = messages();
  ASSERT_EQ(whole.size(), 2U);
  EXPECT_EQ(whole[0].at("content"), "Answer from the account data.\n\n# Account data\nused: 20 %");
  EXPECT_EQ(asked.at("temperature"), 0.5);
  chat("what is left of my quota?", more + R"(, "stream": true)");
  EXPECT_EQ(messages(), whole);
}

TEST_F(ChatAnswerTest, WhatTheModelSaidJoinsTheSessionStreamedOrNot) {
  start();
  for (const char* stream : {"false", "true"}) {
    const std::string id = std::string("s-") + stream;
    const std::string more =
        R"(, "stream": )" + std::string(stream) + R"(, "signalbox": {"session_id": ")" + id + "\"}";
    chat("what can I drink?", more);
    const json::object kept = session(id);
    ASSERT_EQ(kept.at("messages").as_array().size(), 2U) << stream;
    EXPECT_EQ(kept.at("messages").at(1).at("content"), "1. Tea\n2. Coffee");
    EXPECT_EQ(kept.at("results").as_array().size(), 2U);
    chat("and what else?", more);
    const json::array sent = messages();
    ASSERT_EQ(sent.size(), 3U) << stream;
    EXPECT_EQ(sent[0].at("content"), "what can I drink?");
    EXPECT_EQ(sent[1].at("role"), "assistant");
    EXPECT_EQ(sent[2].at("content"), "and what else?");
  }
}

TEST_F(ChatAnswerTest, WithoutASessionNothingIsRemembered) {
  start();
  chat("what can I drink?", "");
  chat("and what else?", "");
  EXPECT_EQ(messages().size(), 1U);
}

TEST_F(ChatAnswerTest, AMiniAppAnswersAndKeepsItsState) {
  options.profiles = {std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/miniapps/miniapps.yaml"};
  start();
  const std::string more = R"(, "signalbox": {"session_id": "t"})";
  const auto begun = chat("Help me plan a trip to Rome", more);
  EXPECT_THAT(json_of(begun).at("choices").at(0).at("message").at("content").as_string().c_str(),
              HasSubstr("Rome"));
  EXPECT_EQ(begun.headers.at("x-signalbox-route"), "TRANSACTIONAL");
  chat("add the Pantheon", more);
  const auto shown = chat("what's left?", more + R"(, "stream": true)");
  EXPECT_THAT(shown.body, AllOf(HasSubstr("Pantheon"), HasSubstr("data: [DONE]\n\n")));
  EXPECT_EQ(session("t").at("active_app"), "trip_planner");
  const auto talk = chat("should we see the Pantheon?", more);
  EXPECT_EQ(talk.status, 503);
  EXPECT_EQ(code_of(talk), "no_model");
  EXPECT_EQ(session("t").at("active_app"), "trip_planner");
}

TEST_F(ChatAnswerTest, AModelFileInThisProgramAnswersToo) {
  if (const std::string why = why_no_real_model(); !why.empty()) GTEST_SKIP() << why;
  write("desk.yaml", std::string(kProfile) + "slots:\n  main: {url: \"gguf:" + real_model_path() +
                         "?ctx=256&threads=1\"}\n");
  start();
  const std::string more = R"(, "max_tokens": 4, "signalbox": {"session_id": "g"})";
  const auto whole = chat("Say hello.", more);
  ASSERT_EQ(whole.status, 200) << whole.body;
  const json::value said = json_of(whole);
  EXPECT_FALSE(said.at("choices").at(0).at("message").at("content").as_string().empty());
  EXPECT_LE(said.at("usage").at("completion_tokens").as_int64(), 4);
  EXPECT_EQ(session("g").at("messages").as_array().size(), 2U);
  const auto stream = chat("Say hello.", R"(, "max_tokens": 4, "stream": true)");
  EXPECT_THAT(stream.body, AllOf(HasSubstr("\"delta\":{\"role\":\"assistant\""),
                                 HasSubstr("\"finish_reason\":\"length\""), Not(HasSubstr("error"))));
}

}  // namespace
}  // namespace signalbox

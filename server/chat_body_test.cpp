#include "server/chat_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace signalbox {
namespace {

using testing::HasSubstr;

std::string complaint(std::string_view text) {
  ChatBody body;
  const auto done = read_chat_body(text, body);
  return done ? "(taken)" : done.error().message;
}

TEST(ChatBody, TheLastUserMessageIsTheQueryAndTheRestIsHistory) {
  ChatBody body;
  ASSERT_TRUE(read_chat_body(R"({"model": "auto", "stream": true, "user": "u-1", "messages": [
    {"role": "system", "content": "be kind"}, {"role": "user", "content": "hi"},
    {"role": "assistant", "content": null, "tool_calls": []},
    {"role": "user", "content": [{"type": "text", "text": "what is"}, {"type": "text", "text": "this?"},
      {"type": "image_url", "image_url": {"url": "data:x"}}]},
    {"role": "tool", "tool_call_id": "c", "content": "42"}]})",
                             body));
  EXPECT_EQ(body.model, "auto");
  EXPECT_TRUE(body.is_stream);
  EXPECT_EQ(body.request.query, "what is\nthis?");
  EXPECT_EQ(body.leading, 1U);
  ASSERT_EQ(body.request.history.size(), 3U);
  EXPECT_EQ(body.request.history[0].content, "hi");
  EXPECT_EQ(body.request.history[2].role, "tool");  // a tool loop: it keeps its route
  ASSERT_EQ(body.request.attachments.size(), 1U);
  EXPECT_EQ(body.request.attachments[0].mime, "image/*");
  EXPECT_EQ(body.request.metadata.at("user"), "u-1");
}

TEST(ChatBody, ExtensionsComeInAMemberOfTheirOwnOrInMetadata) {
  ChatBody body;
  ASSERT_TRUE(read_chat_body(
      R"({"messages": [{"role": "user", "content": "q"}], "metadata": {"session_id": "m"},
    "signalbox": {"session_id": "s-1", "decision": true, "active_app": "trip",
                  "attachments": [{"name": "a.pdf", "mime": "application/pdf", "text": "t"}]}})",
      body));
  EXPECT_EQ(body.request.session_id, "s-1");
  EXPECT_TRUE(body.wants_decision);
  EXPECT_EQ(body.request.active_app, "trip");
  EXPECT_EQ(body.request.attachments.at(0).name, "a.pdf");
  EXPECT_EQ(body.request.query, "q");
  ChatBody other;
  ASSERT_TRUE(read_chat_body(
      R"({"messages": [{"role": "user", "content": "q"}], "metadata": {"session_id": "m"}})", other));
  EXPECT_EQ(other.request.session_id, "m");
}

TEST(ChatBody, WhatWeDoNotUsePassesByteForByte) {
  ChatBody body;
  const std::string tools =
      R"([ {"type":"function", "function":{"name":"f","parameters":{"a":[1,{"b":"}\"],"}]}}} ])";
  ASSERT_TRUE(read_chat_body(
      R"({ "temperature" : 0.70 ,"model":"auto","messages":[{"role":"user","content":"h\u00e9"}],
    "tools": )" +
          tools + R"(, "signalbox": {"decision": true}, "seed":12345678901234567890, "x": "a,b" })",
      body));
  EXPECT_EQ(
      upstream_chat_body(body, "qwen", ""),
      R"({"model":"qwen","temperature" : 0.70,"messages":[{"role":"user","content":"h\u00e9"}],"tools": )" +
          tools + R"(,"seed":12345678901234567890,"x": "a,b"})");
}

TEST(ChatBody, TheRoutesPromptBecomesTheFirstMessage) {
  ChatBody body;
  ASSERT_TRUE(read_chat_body(R"({"messages": [ {"role":"user","content":"q"}]})", body));
  EXPECT_EQ(
      upstream_chat_body(body, "m", "be \"short\""),
      R"({"model":"m","messages":[{"role":"system","content":"be \"short\""},{"role":"user","content":"q"}]})");
}

TEST(ChatBody, WhatASessionLendsStandsBehindTheCallersSystemMessages) {
  ChatBody body;
  ASSERT_TRUE(read_chat_body(
      R"({"messages": [ {"role":"system","content":"a,]b"} , {"role":"user","content":"q"} ]})", body));
  EXPECT_TRUE(body.request.history.empty());
  EXPECT_EQ(
      upstream_chat_body(body, "m", "s", {{"user", "before"}, {"tool", "42"}}),
      R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"system","content":"a,]b"},)"
      R"({"role":"user","content":"before"},{"role":"user","content":"42"},{"role":"user","content":"q"} ]})");
}

TEST(ChatBody, WhatTheModelCouldReadOtherwiseIsRefused) {
  const std::string messages = R"("messages": [{"role": "user", "content": "q"}])";
  EXPECT_EQ(complaint("{" + messages + "}"), "(taken)");
  EXPECT_THAT(complaint("{" + messages + "," + messages + "}"), HasSubstr("twice"));
  EXPECT_THAT(complaint("{" + messages + R"(, "messa\u0067es": []})"), HasSubstr("twice"));
  EXPECT_THAT(complaint("{" + messages + R"(, "to\u006fls": []})"), HasSubstr("escapes"));
}

TEST(ChatBody, AMistakeNamesItsField) {
  EXPECT_THAT(complaint("{}"), HasSubstr("messages: expected"));
  EXPECT_THAT(complaint(R"({"messages": []})"), HasSubstr("messages: expected"));
  EXPECT_THAT(complaint(R"({"messages": [{"role": "assistant", "content": "x"}]})"),
              HasSubstr("role user"));
  EXPECT_THAT(complaint(R"({"messages": [{"content": "x"}]})"), HasSubstr("messages.role"));
  EXPECT_THAT(complaint(R"({"messages": [{"role": "user", "content": 7}]})"),
              HasSubstr("messages.content"));
  EXPECT_THAT(complaint(R"({"messages": [{"role": "user", "content": "q"}], "stream": "yes"})"),
              HasSubstr("stream"));
  EXPECT_THAT(
      complaint(R"({"messages": [{"role": "user", "content": "q"}], "signalbox": {"sesion_id": "x"}})"),
      HasSubstr("signalbox.unknown field 'sesion_id'"));
  EXPECT_THAT(
      complaint(R"({"messages": [{"role": "user", "content": "q"}], "signalbox": {"query": "x"}})"),
      HasSubstr("comes from messages"));
  EXPECT_THAT(complaint("nonsense"), HasSubstr("not JSON"));
}

}  // namespace
}  // namespace signalbox

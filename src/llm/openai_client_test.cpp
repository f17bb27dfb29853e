#include "llm/openai_client.h"

#include <gmock/gmock.h>

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LlmMessage said(const std::string& role, const std::string& content) {
  LlmMessage message;
  message.role = role;
  message.content = content;
  return message;
}

std::string body_of(const LlmRequest& request, bool is_stream = false,
                    const std::string& base = "http://h/v1") {
  return (*openai_dialect(base))->chat_body(request, is_stream).value();
}

LlmRequest plain() {
  LlmRequest request;
  request.model = "m";
  request.messages = {said("system", "be brief"), said("user", "hi \"you\"")};
  request.max_tokens = 7;
  return request;
}

TEST(OpenAiDialectTest, BaseAddressMayNameTheVersionOrNot) {
  const auto url = [](const char* base) { return (*openai_dialect(base))->chat_url(); };
  EXPECT_EQ(url("http://h:8080"), "http://h:8080/v1/chat/completions");
  EXPECT_EQ(url("http://h:8080/"), "http://h:8080/v1/chat/completions");
  EXPECT_EQ(url("http://h:8080/v1"), "http://h:8080/v1/chat/completions");
  EXPECT_EQ(url("https://me:pw@h/openai/v1/"), "https://me:pw@h:443/openai/v1/chat/completions");
  EXPECT_EQ(url("https://h/paas/v4"), "https://h:443/paas/v4/chat/completions");
  EXPECT_EQ(url("https://h/x/chat/completions?api-version=1"),
            "https://h:443/x/chat/completions?api-version=1");
  EXPECT_EQ((*openai_dialect("http://h"))->models_url(), "http://h:80/v1/models");
  EXPECT_EQ(openai_dialect("no address").error().code, ErrorCode::InvalidInput);
}

TEST(OpenAiDialectTest, SameRequestBuildsTheSameBytes) {
  const std::string expected =
      R"({"model":"m","messages":[{"role":"system","content":"be brief"},)"
      R"({"role":"user","content":"hi \"you\""}],"max_tokens":7,"temperature":0,"seed":0})";
  EXPECT_EQ(body_of(plain()), expected);
  EXPECT_EQ(body_of(plain()), expected);
  EXPECT_THAT(body_of(plain(), true),
              HasSubstr(R"("stream":true,"stream_options":{"include_usage":true})"));
  EXPECT_THAT(body_of(plain(), false, "https://api.openai.com/v1"),
              HasSubstr(R"("max_completion_tokens":7)"));
}

TEST(OpenAiDialectTest, ToolsSchemaAndImagesAreSaidAsTheInterfaceWantsThem) {
  LlmRequest request = plain();
  request.tools = {{"route", "Chooses", R"({"type":"object"})"}};
  request.tool_choice = "route";
  EXPECT_THAT(
      body_of(request),
      HasSubstr(R"("tools":[{"type":"function","function":{"name":"route","description":"Chooses",)"
                R"("parameters":{"type":"object"}}}],"tool_choice":"required")"));
  request.tools.push_back({"other", "", "{}"});
  EXPECT_THAT(body_of(request),
              HasSubstr(R"("tool_choice":{"type":"function","function":{"name":"route"}})"));

  request = plain();
  request.json_schema = R"({"type":"object","properties":{"a":{"type":"string"}}})";
  EXPECT_THAT(body_of(request),
              HasSubstr(R"("response_format":{"type":"json_schema","json_schema":{"name":)"
                        R"("answer","strict":false,"schema":{"type":"object")"));
  request.json_schema =
      R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false})";
  EXPECT_THAT(body_of(request), HasSubstr(R"("strict":true)"));

  request = plain();
  request.messages.back().images = {"data:image/png;base64,AA=="};
  EXPECT_THAT(body_of(request),
              HasSubstr(R"("content":[{"type":"text","text":"hi \"you\""},{"type":"image_url",)"
                        R"("image_url":{"url":"data:image/png;base64,AA=="}}])"));
}

TEST(OpenAiDialectTest, EarlierToolCallsAndTheirAnswersAreRepeated) {
  LlmRequest request = plain();
  LlmMessage call = said("assistant", "");
  call.tool_calls = {{"c1", "search", R"({"q":"x"})"}};
  LlmMessage answer = said("tool", "found");
  answer.tool_call_id = "c1";
  request.messages = {call, answer};
  EXPECT_THAT(
      body_of(request),
      HasSubstr(R"({"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function",)"
                R"("function":{"name":"search","arguments":"{\"q\":\"x\"}"}}]},)"
                R"({"role":"tool","content":"found","tool_call_id":"c1"})"));
}

TEST(OpenAiDialectTest, ModelsAreListed) {
  const auto dialect = *openai_dialect("http://h");
  EXPECT_THAT(dialect->read_models(R"({"data":[{"id":"a"},{"id":"b"}]})").value(),
              ElementsAre("a", "b"));
  EXPECT_FALSE(dialect->read_models("<html>"));
  EXPECT_FALSE(dialect->read_models("[]"));
}

struct Heard {
  std::vector<std::string> pieces;
  Result<LlmAnswer> answer;
};

Heard hear(ChatReader& reader, std::string_view bytes, std::size_t piece) {
  Heard heard;
  const TextSink sink = [&](std::string_view text) {
    heard.pieces.emplace_back(text);
    return true;
  };
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (auto taken = reader.take(bytes.substr(at, piece), sink); !taken) {
      heard.answer = tl::unexpected(taken.error());
      return heard;
    }
  }
  heard.answer = reader.finish();
  return heard;
}

// As llama-server and OpenAI send it: role first, text, the reason to finish, usage, [DONE].
constexpr std::string_view kStream =
    "data: {\"id\":\"x\",\"model\":\"gpt\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
    "\"content\":null},\"finish_reason\":null}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"caf\xC3\xA9\"}}]}\n\n"
    ": keep-alive\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\" noir\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2,"
    "\"prompt_tokens_details\":{\"cached_tokens\":4}}}\n\n"
    "data: [DONE]\n\n";

TEST(OpenAiReaderTest, StreamIsTheSameHoweverItIsSplit) {
  for (std::size_t piece = 1; piece < kStream.size(); piece += 3) {
    auto reader = openai_stream_reader();
    const Heard heard = hear(*reader, kStream, piece);
    ASSERT_TRUE(heard.answer) << heard.answer.error().message;
    EXPECT_THAT(heard.pieces, ElementsAre("caf\xC3\xA9", " noir"));
    EXPECT_EQ(heard.answer->text, "caf\xC3\xA9 noir");
    EXPECT_EQ(heard.answer->finish, "length");
    EXPECT_EQ(heard.answer->model, "gpt");
    EXPECT_EQ(heard.answer->usage.prompt_tokens, 9);
    EXPECT_EQ(heard.answer->usage.cached_tokens, 4);
    EXPECT_EQ(heard.answer->usage.completion_tokens, 2);
  }
}

TEST(OpenAiReaderTest, ToolCallsArePutTogetherByIndex) {
  const std::string stream =
      R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"route","arguments":""}}]}}]})"
      "\n\n"
      R"(data: {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"note","arguments":"{"}}]}}]})"
      "\n\n"
      R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"r\":"}}]}}]})"
      "\n\n"
      R"(data: {"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"}"}},{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}]})"
      "\n\ndata: [DONE]\n\n";
  auto reader = openai_stream_reader();
  const Heard heard = hear(*reader, stream, 11);
  ASSERT_TRUE(heard.answer) << heard.answer.error().message;
  ASSERT_EQ(heard.answer->tool_calls.size(), 2U);
  EXPECT_EQ(heard.answer->tool_calls[0].arguments, R"({"r":1})");
  EXPECT_EQ(heard.answer->tool_calls[0].id, "a");
  EXPECT_EQ(heard.answer->tool_calls[1].name, "note");
  EXPECT_EQ(heard.answer->tool_calls[1].arguments, "{}");
  EXPECT_EQ(heard.answer->finish, "tool_calls");
}

TEST(OpenAiReaderTest, BadStreamsAreUpstreamErrors) {
  for (const char* stream : {
           "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n",  // ends in the middle
           "data: {not json\n\n",                                           //
           "data: {\"error\":{\"message\":\"out of memory\"}}\n\n",         //
           "<html>a page</html>",                                           //
           "",                                                              //
           "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":100000}]}}]}\n\n",  //
           "data: {\"choices\":[{\"delta\":{\"content\":\"\xff\xfe\"}}]}\n\n",
       }) {
    auto reader = openai_stream_reader();
    const Heard heard = hear(*reader, stream, 5);
    ASSERT_FALSE(heard.answer) << stream;
    EXPECT_EQ(heard.answer.error().code, ErrorCode::Upstream);
  }
}

TEST(OpenAiReaderTest, WholeAnswerIsRead) {
  auto reader = openai_whole_reader();
  const Heard heard =
      hear(*reader,
           R"({"model":"m","choices":[{"message":{"role":"assistant","content":"yes",)"
           R"("tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":1}}}]},)"
           R"("finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}})",
           9);
  ASSERT_TRUE(heard.answer) << heard.answer.error().message;
  EXPECT_EQ(heard.answer->text, "yes");
  EXPECT_EQ(heard.answer->tool_calls.front().arguments, R"({"a":1})");
  EXPECT_EQ(heard.answer->usage.prompt_tokens, 3);
  for (const char* bad : {"", "[]", "{}", R"({"choices":[]})", R"({"error":{"message":"x"}})"}) {
    auto other = openai_whole_reader();
    EXPECT_FALSE(hear(*other, bad, 4).answer) << bad;
  }
}

}  // namespace
}  // namespace signalbox

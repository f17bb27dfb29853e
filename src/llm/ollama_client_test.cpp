// Ollama's wire format, checked against the examples of its documentation (docs/api.md of Ollama).

#include <gmock/gmock.h>

#include "llm/chat_dialect.h"

namespace signalbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<ChatDialect> ollama(const std::string& address = "ollama://h") {
  return *ollama_dialect(address);
}

LlmRequest plain() {
  LlmRequest request;
  request.model = "llama3.2";
  LlmMessage message;
  message.role = "user";
  message.content = "why is the sky blue?";
  request.messages = {message};
  request.max_tokens = 5;
  request.seed = 101;
  return request;
}

TEST(OllamaDialectTest, AddressIsRead) {
  const auto url = [](const char* address) { return ollama(address)->chat_url(); };
  EXPECT_EQ(url("ollama://h:9"), "http://h:9/api/chat");
  EXPECT_EQ(url("ollama://h"), "http://h:11434/api/chat");
  EXPECT_EQ(url("ollama://"), "http://127.0.0.1:11434/api/chat");
  EXPECT_EQ(url("ollama://0.0.0.0:11434"), "http://127.0.0.1:11434/api/chat");
  EXPECT_EQ(url("ollama://https://h/"), "https://h:443/api/chat");
  EXPECT_EQ(url("ollama://[::1]"), "http://[::1]:11434/api/chat");
  EXPECT_EQ(url("ollama://me:pw@h"), "http://me:pw@h:11434/api/chat");
  EXPECT_EQ(url("ollama://h:80"), "http://h:80/api/chat");
  EXPECT_FALSE(ollama_dialect("ollama://h:x"));
}

TEST(OllamaDialectTest, RequestIsSaidInItsWords) {
  EXPECT_EQ(
      *ollama()->chat_body(plain(), true),
      R"({"model":"llama3.2","messages":[{"role":"user","content":"why is the sky blue?"}],"stream":true,)"
      R"("think":false,"keep_alive":"10m","options":{"temperature":0,"seed":101,"num_predict":5}})");
  LlmRequest request = plain();
  request.json_schema = R"({"type":"object"})";
  EXPECT_THAT(*ollama()->chat_body(request, false), HasSubstr(R"("format":{"type":"object"})"));
  request.messages.front().images = {"data:image/png;base64,iVBO"};
  EXPECT_THAT(*ollama()->chat_body(request, false), HasSubstr(R"("images":["iVBO"])"));
  request.messages.front().images = {"https://h/cat.png"};
  EXPECT_EQ(ollama()->chat_body(request, false).error().code, ErrorCode::InvalidInput);
}

TEST(OllamaDialectTest, ToolThatMustBeCalledIsTheOnlyOneOffered) {
  LlmRequest request = plain();
  request.tools = {{"a", "A", "{}"}, {"b", "B", R"({"type":"object"})"}};
  EXPECT_THAT(*ollama()->chat_body(request, false), HasSubstr(R"("name":"a")"));
  request.tool_choice = "b";
  const std::string body = *ollama()->chat_body(request, false);
  EXPECT_THAT(body, HasSubstr(R"("tools":[{"type":"function","function":{"name":"b","description":"B",)"
                              R"("parameters":{"type":"object"}}}])"));
  EXPECT_THAT(body, testing::Not(HasSubstr(R"("name":"a")")));
}

TEST(OllamaDialectTest, ModelsAreListedAndLatestMayBeLeftOut) {
  const auto names =
      ollama()->read_models(R"({"models":[{"name":"qwen3:latest"},{"name":"qwen3:0.6b"}]})");
  EXPECT_THAT(names.value(), ElementsAre("qwen3:latest", "qwen3:0.6b"));
  EXPECT_TRUE(ollama()->is_model("qwen3:latest", "qwen3"));
  EXPECT_FALSE(ollama()->is_model("qwen3:0.6b", "qwen3"));
}

Result<LlmAnswer> read(std::string_view bytes, std::size_t piece,
                       std::vector<std::string>* pieces = nullptr) {
  auto reader = ollama()->reader(true);
  const TextSink sink = [&](std::string_view text) {
    if (pieces) pieces->emplace_back(text);
    return true;
  };
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (auto taken = reader->take(bytes.substr(at, piece), sink); !taken)
      return tl::unexpected(taken.error());
  }
  return reader->finish();
}

// The documented stream: objects a line, the last with `done` and the counts.
constexpr std::string_view kStream =
    R"({"model":"llama3.2","created_at":"2023-08-04T08:52:19.385406455-07:00","message":{"role":"assistant","content":"The","images":null},"done":false})"
    "\n"
    R"({"model":"llama3.2","created_at":"2023-08-04T08:52:19.385406455-07:00","message":{"role":"assistant","content":" sky"},"done":false})"
    "\n"
    R"({"model":"llama3.2","created_at":"2023-08-04T19:22:45.499127Z","done":true,"total_duration":4883583458,"load_duration":1334875,"prompt_eval_count":26,"prompt_eval_duration":342546000,"eval_count":282,"eval_duration":4535599000})"
    "\n";

TEST(OllamaReaderTest, DocumentedStreamIsRead) {
  for (std::size_t piece : {std::size_t{1}, std::size_t{13}, kStream.size()}) {
    std::vector<std::string> pieces;
    const auto answer = read(kStream, piece, &pieces);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_THAT(pieces, ElementsAre("The", " sky"));
    EXPECT_EQ(answer->text, "The sky");
    EXPECT_EQ(answer->finish, "stop");
    EXPECT_EQ(answer->model, "llama3.2");
    EXPECT_EQ(answer->usage.prompt_tokens, 26);
    EXPECT_EQ(answer->usage.completion_tokens, 282);
    EXPECT_EQ(answer->usage.to_first_token, Duration(1334875 + 342546000));
  }
}

TEST(OllamaReaderTest, DocumentedStructuredAnswerIsRead) {
  const auto answer = read(
      R"({"model":"llama3.1","created_at":"2024-12-06T00:46:58.265747Z","message":{"role":"assistant","content":"{\"age\": 22, \"available\": false}"},"done_reason":"stop","done":true,"total_duration":2254970291,"load_duration":574751416,"prompt_eval_count":34,"prompt_eval_duration":1502000000,"eval_count":12,"eval_duration":175000000})",
      10);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->text, R"({"age": 22, "available": false})");
  EXPECT_EQ(answer->usage.completion_tokens, 12);
}

TEST(OllamaReaderTest, DocumentedToolCallIsRead) {
  const auto answer = read(
      R"({"model":"llama3.2","created_at":"2024-07-22T20:33:28.123648Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"get_current_weather","arguments":{"format":"celsius","location":"Paris, FR"}}}]},"done_reason":"stop","done":true,"total_duration":885095291,"load_duration":3753500,"prompt_eval_count":122,"prompt_eval_duration":328493000,"eval_count":33,"eval_duration":552222000})",
      7);
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(answer->tool_calls.size(), 1U);
  EXPECT_EQ(answer->tool_calls[0].name, "get_current_weather");
  EXPECT_EQ(answer->tool_calls[0].arguments, R"({"format":"celsius","location":"Paris, FR"})");
  EXPECT_EQ(answer->finish, "tool_calls");
}

TEST(OllamaReaderTest, BrokenStreamsAreUpstreamErrors) {
  for (const char* bytes : {R"({"message":{"content":"half"},"done":false})", "", "nonsense\n",
                            R"({"error":"model runner has unexpectedly stopped"})", "[1]\n"}) {
    const auto answer = read(bytes, 6);
    ASSERT_FALSE(answer) << bytes;
    EXPECT_EQ(answer.error().code, ErrorCode::Upstream);
  }
}

}  // namespace
}  // namespace signalbox

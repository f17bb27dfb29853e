// The OpenAI backend against a real llama-server with a real model. Skipped, and said so, where they
// are not there.

#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <memory>

#include "llm/llm_backend.h"
#include "test/fakes/real_model.h"
#include "test/live/server_process.h"

namespace signalbox {
namespace {

using namespace std::chrono_literals;
using testing::AnyOf;

namespace json = boost::json;

constexpr const char* kSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["reason", "route"],
  "properties": {"reason": {"type": "string", "maxLength": 24},
                 "route": {"enum": ["billing", "support", "other"]}}})";

LlmRequest ask(std::string text, int max_tokens) {
  LlmRequest request;
  request.messages = {{"system", "You are a helpful assistant.", {}, {}, ""},
                      {"user", std::move(text), {}, {}, ""}};
  request.max_tokens = max_tokens;
  request.budget = 120s;
  return request;
}

class LlamaServerTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!why_no_llama_server().empty()) return;
    server_ = std::make_unique<ServerProcess>(std::vector<std::string>{});
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override {
    if (const std::string why = why_no_llama_server(); !why.empty()) GTEST_SKIP() << why;
    client = client_of(*server_);
  }
  static std::shared_ptr<LlmClient> client_of(const ServerProcess& server) {
    EXPECT_EQ(server.problem(), "");
    auto backend = LlmBackends::process().get(server.url(), "");
    EXPECT_TRUE(backend) << backend.error().message;
    return backend.value_or(nullptr);
  }

  std::shared_ptr<LlmClient> client;
  static std::unique_ptr<ServerProcess> server_;
};

std::unique_ptr<ServerProcess> LlamaServerTest::server_;

TEST_F(LlamaServerTest, StreamsAnAnswerInPieces) {
  std::vector<std::string> pieces;
  const auto answer = client->complete(ask("Count from one to ten.", 24), [&](std::string_view piece) {
    pieces.emplace_back(piece);
    return true;
  });
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_GT(pieces.size(), 3U);
  std::string joined;
  for (const std::string& piece : pieces) joined += piece;
  EXPECT_EQ(joined, answer->text);
  EXPECT_GT(answer->usage.prompt_tokens, 10);
  EXPECT_GT(answer->usage.completion_tokens, 3);
  EXPECT_LT(answer->usage.to_first_token, answer->usage.total);
}

TEST_F(LlamaServerTest, KeepsAJsonSchema) {
  auto request = ask("My invoice is wrong", 64);
  request.json_schema = kSchema;
  const auto answer = client->complete(request);
  ASSERT_TRUE(answer) << answer.error().message;
  boost::system::error_code error;
  const json::value value = json::parse(answer->text, error);
  ASSERT_FALSE(error) << answer->text;
  EXPECT_THAT(std::string(value.at("route").as_string()), AnyOf("billing", "support", "other"));
}

// The model's own chat template knows no tools, so this server has one that does.
TEST_F(LlamaServerTest, CallsTheToolItMust) {
  const ServerProcess with_tools(
      {"--chat-template-file", std::string(SIGNALBOX_SOURCE_DIR) + "/test/data/llama/tools.jinja"});
  auto request = ask("My invoice is wrong", 96);
  request.messages.erase(request.messages.begin());
  request.tools = {{"decide", "Chooses the route.", kSchema}};
  request.tool_choice = "decide";
  const auto answer = client_of(with_tools)->complete(request);
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(answer->tool_calls.size(), 1U) << answer->text;
  EXPECT_EQ(answer->tool_calls[0].name, "decide");
  const auto arguments = json::parse(answer->tool_calls[0].arguments);
  EXPECT_THAT(std::string(arguments.at("route").as_string()), AnyOf("billing", "support", "other"));
}

TEST_F(LlamaServerTest, EndsAtTheDeadlineAndServesTheNextCall) {
  auto request = ask("Write a very long story about a ship.", 1000);
  request.budget = 100ms;
  EXPECT_EQ(client->complete(request).error().code, ErrorCode::Timeout);
  EXPECT_TRUE(client->complete(ask("Say yes.", 2)));
}

}  // namespace
}  // namespace signalbox

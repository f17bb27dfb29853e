// The MCP client against small servers of our own: a shell script for stdio, a script for HTTP.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "call/mcp_client.h"
#include "test/fakes/fake_http_client.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// Answers initialize, tools/list (two pages) and tools/call; `quit` ends it, `sleep` never answers. It
// pings before the first list and prints a line that is no message.
constexpr const char* kServer = R"sh(
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) echo 'starting up'; echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-06-18\"}}" ;;
    *'"cursor":"2"'*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[{\"name\":\"wipe\",\"annotations\":{\"destructiveHint\":true}},{\"name\":\"sleep\"},{\"name\":\"quit\"}]}}" ;;
    *'"tools/list"'*) echo '{"jsonrpc":"2.0","id":"p1","method":"ping"}'; read -r pong
      echo '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
      echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"nextCursor\":\"2\",\"tools\":[{\"name\":\"echo\",\"description\":\"Says it again.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]},\"annotations\":{\"readOnlyHint\":true}}]}}" ;;
    *'"name":"quit"'*) exit 0 ;;
    *'"name":"sleep"'*) sleep 20 ;;
    *'"name":"wipe"'*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":1,\"message\":\"not today\"}}" ;;
    *'"tools/call"'*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"pid $$\"}]}}" ;;
  esac
done
)sh";

McpServer script(std::chrono::milliseconds deadline = std::chrono::seconds(10)) {
  McpServer server;
  server.name = "script";
  server.command = {"/bin/sh", "-c", kServer};
  server.intents = {"RETRIEVE_DATA"};
  server.deadline = deadline;
  return server;
}

TEST(McpStdio, ToolsOfEveryPageBecomeFunctionsWithTheRiskOfTheirHints) {
  McpClient client(script(), nullptr);
  const auto tools = client.tools();
  ASSERT_TRUE(tools) << tools.error().message;
  ASSERT_EQ(tools->size(), 4U);
  EXPECT_EQ((*tools)[0].name, "echo");
  EXPECT_EQ((*tools)[0].risk, Risk::Read);
  EXPECT_EQ((*tools)[0].required(), std::vector<std::string>{"text"});
  EXPECT_EQ((*tools)[1].risk, Risk::Delete);
  EXPECT_EQ((*tools)[2].risk, Risk::Write) << "without hints a tool may change something";
  EXPECT_EQ((*tools)[0].intents, std::vector<std::string>{"RETRIEVE_DATA"});
  EXPECT_EQ((*tools)[0].handler.server, "script");
}

TEST(McpStdio, AServerThatEndedIsStartedAgainAtTheNextCall) {
  McpClient client(script(), nullptr);
  const auto first = client.call("echo", {{"text", "a"}});
  ASSERT_TRUE(first) << first.error().message;
  const auto gone = client.call("quit", {});
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::Upstream);
  const auto again = client.call("echo", {{"text", "a"}});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_NE(*first, *again) << "another process";
}

TEST(McpStdio, ADeadlineEndsAWaitAndTheNextCallIsNotConfused) {
  McpClient client(script(std::chrono::milliseconds(300)), nullptr);
  const auto late = client.call("sleep", {});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::Timeout);
  EXPECT_TRUE(client.call("echo", {{"text", "a"}}));
}

TEST(McpStdio, AServersErrorIsItsAnswer) {
  McpClient client(script(), nullptr);
  const auto refused = client.call("wipe", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(refused.error().message, "script: not today");
}

TEST(McpStdio, TheChildIsReaped) {
  pid_t child = 0;
  {
    McpClient client(script(), nullptr);
    const auto said = client.call("echo", {});
    ASSERT_TRUE(said);
    child = static_cast<pid_t>(std::stol(said->substr(4)));
    EXPECT_EQ(::kill(child, 0), 0);
  }
  EXPECT_EQ(::waitpid(child, nullptr, WNOHANG), -1) << "nothing is left to wait for";
}

TEST(McpStdio, AProgramThatIsNotThereIsANoteAndTheOtherFunctionsGoOn) {
  McpServer absent;
  absent.name = "absent";
  absent.command = {"/no/such/program"};
  FunctionRegistry registry;
  McpServers servers;
  const auto notes = servers.import({absent, script()}, nullptr, registry);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0], "MCP server absent: cannot start the MCP server '/no/such/program'");
  EXPECT_TRUE(registry.find("echo"));
  EXPECT_TRUE(servers.find("script"));
}

HttpResponse reply(std::string type, std::string body, std::string session = "") {
  HttpResponse out;
  out.head.status = 200;
  out.head.headers = {{"Content-Type", std::move(type)}};
  if (!session.empty()) out.head.headers.push_back({"Mcp-Session-Id", std::move(session)});
  out.body = std::move(body);
  return out;
}

TEST(McpHttp, KeepsTheServersSessionAndReadsJsonAndEvents) {
  auto http = std::make_shared<FakeHttpClient>(std::vector<HttpResult<HttpResponse>>{
      reply("application/json", R"({"jsonrpc":"2.0","id":1,"result":{}})", "s-7"),
      reply("application/json", ""),
      reply("text/event-stream; charset=utf-8",
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n"
            "event: message\ndata: "
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"21 "
            "°C\"}]}}\n\n")});
  McpServer server;
  server.name = "remote";
  server.url = "http://mcp.example/mcp";
  McpClient client(server, http);
  const auto said = client.call("weather", {{"city", "Oslo"}});
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(*said, "21 °C");
  ASSERT_EQ(http->requests().size(), 3U);
  const HttpRequest last = http->requests()[2];
  EXPECT_EQ(last.headers.back().name, "Mcp-Session-Id");
  EXPECT_EQ(last.headers.back().value, "s-7");
  EXPECT_EQ(json::parse(last.body).at("params").at("arguments").at("city"), "Oslo");
}

TEST(McpHttp, AReplyWithoutTheAnswerIsCorrupt) {
  auto http = std::make_shared<FakeHttpClient>(std::vector<HttpResult<HttpResponse>>{
      reply("application/json", R"({"jsonrpc":"2.0","id":99,"result":{}})")});
  McpServer server;
  server.url = "http://mcp.example/mcp";
  McpClient client(server, http);
  const auto said = client.call("weather", {});
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().code, ErrorCode::Corrupt);
}

TEST(McpMessage, AToolThatFailedSaysWhy) {
  const auto result = read_tool_result(json::parse(
      R"({"isError":true,"content":[{"type":"text","text":"no such file"},{"type":"image"}]})"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "no such file\n[image]");
}

}  // namespace
}  // namespace signalbox

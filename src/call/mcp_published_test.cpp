// The MCP client against servers other people published, where scripts/fetch-mcp.sh has put them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "call/caller.h"
#include "call/runner.h"
#include "net/asio_http_client.h"
#include "retrieve/run_program.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

std::string module_path(const std::string& package) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base = cache && *cache ? fs::path(cache) : fs::path(home ? home : "") / ".cache";
  return (base / "signalbox/mcp/node_modules/@modelcontextprotocol" / package / "dist/index.js")
      .string();
}

// Why these tests cannot run here; empty: they can.
std::string absent(const std::string& package) {
  if (!fs::exists(module_path(package)))
    return package + " is not here: scripts/fetch-mcp.sh fetches it";
  if (!run_program({"node", "--version"}, std::chrono::seconds(10), 1000)) return "there is no node";
  return "";
}

TEST(PublishedMcp, TheFilesystemServersToolsAreChosenAndCalledFromAMessage) {
  if (const std::string why = absent("server-filesystem"); !why.empty()) GTEST_SKIP() << why;
  const std::string folder =
      fs::canonical(testing::TempDir()).string() + "/mcp_" + std::to_string(getpid());
  fs::create_directories(folder);
  std::ofstream(folder + "/plan.txt") << "ship on Friday";
  McpServer server;
  server.name = "files";
  server.command = {"node", module_path("server-filesystem"), folder};
  server.deadline = std::chrono::seconds(30);
  server.risks = {{"read_text_file", Risk::Read}};
  FunctionRegistry registry;
  FunctionRunner::Parts parts;
  parts.servers = std::make_shared<McpServers>();
  const auto notes = parts.servers->import({server}, nullptr, registry);
  ASSERT_TRUE(notes.empty()) << notes[0];
  ASSERT_TRUE(registry.find("read_text_file"));
  parts.caller = FunctionCaller::create(std::move(registry), {}).value();
  CallQuestion question{"read the text file \"" + folder + "/plan.txt\""};
  const CallOutcome chosen =
      parts.caller->choose(question, Deadline(parts.caller->clock(), std::chrono::seconds(5)));
  ASSERT_EQ(chosen.calls.size(), 1U) << chosen.reason;
  EXPECT_EQ(chosen.calls[0].function, "read_text_file");
  const FunctionRunner runner(std::move(parts));
  const auto result =
      runner.run(chosen.calls[0], nullptr, {.language = "en", .budget = std::chrono::seconds(30)});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NE(result->text.find("ship on Friday"), std::string::npos);
  const auto outside = runner.run({"read_text_file", {{"path", "/etc/passwd"}}}, nullptr, {});
  EXPECT_FALSE(outside) << "the server's own refusal is an error";
  fs::remove_all(folder);
}

TEST(PublishedMcp, TheEverythingServerSpeaksOverItsStandardOutput) {
  if (const std::string why = absent("server-everything"); !why.empty()) GTEST_SKIP() << why;
  McpServer server;
  server.name = "everything";
  server.command = {"node", module_path("server-everything"), "stdio"};
  server.deadline = std::chrono::seconds(30);
  McpClient client(server, nullptr);
  const auto tools = client.tools();
  ASSERT_TRUE(tools) << tools.error().message;
  EXPECT_GE(tools->size(), 5U);
  const auto said = client.call("echo", {{"message", "olá"}});
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_NE(said->find("olá"), std::string::npos);
  const auto wrong = client.call("echo", {{"message", 5}});
  EXPECT_FALSE(wrong);
}

}  // namespace
}  // namespace signalbox

#include "call/function_file.h"

#include <gtest/gtest.h>

#include "call/yaml_json.h"

namespace signalbox {
namespace {

Result<FunctionFile> read(std::string_view text) {
  auto value = parse_json_or_yaml(text);
  if (!value) return tl::unexpected(value.error());
  return read_functions(*value, ".");
}

std::string names(const std::vector<const Function*>& functions) {
  std::string out;
  for (const Function* function : functions) out += (out.empty() ? "" : " ") + function->name;
  return out;
}

constexpr const char* kOwn = R"(
functions:
  - name: list_tasks
    description: Lists tasks.
    intents: [RETRIEVE_DATA]
    parameters:
      type: object
      properties:
        status: {type: string, enum: [open, done], default: open}
        limit: {type: integer, minimum: 1, default: "5"}
  - name: drop_task
    risk: delete
    intents: [DELETE_DATA]
    patterns: ['(?i)drop task (?P<id>\d+)']
    parameters: {type: object, required: [id], properties: {id: {type: integer}}}
    handler: {http: {method: DELETE, url: "http://tasks/{id}"}}
  - {name: help, description: Says what can be done.}
)";

TEST(FunctionFile, StageTwoSeesOnlyWhatTheIntentAllows) {
  const auto file = read(kOwn);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(names(file->registry.allowed(nullptr, "RETRIEVE_DATA")), "list_tasks help");
  EXPECT_EQ(names(file->registry.allowed(nullptr, "DELETE_DATA")), "drop_task help");
  EXPECT_EQ(names(file->registry.allowed(nullptr, "")), "list_tasks drop_task help");
  EXPECT_EQ(file->registry.find("drop_task")->risk, Risk::Delete);
  EXPECT_EQ(file->registry.find("drop_task")->handler.method, "DELETE");
}

TEST(FunctionFile, AChildRouteMayCallWhatItsParentMay) {
  const auto file = read(kOwn);
  ASSERT_TRUE(file);
  Profile profile;
  Route parent;
  parent.name = "DELETE_DATA";
  Route child;
  child.name = "DELETE_OLD";
  child.parent = "DELETE_DATA";
  profile.routes = {parent, child};
  EXPECT_EQ(names(file->registry.allowed(&profile, "DELETE_OLD")), "drop_task help");
}

TEST(FunctionFile, QuotedYamlStaysTextAndPlainYamlIsANumber) {
  const auto file = read(kOwn);
  ASSERT_TRUE(file);
  const boost::json::object& limit = *file->registry.find("list_tasks")->parameter("limit");
  EXPECT_TRUE(limit.at("minimum").is_int64());
  EXPECT_TRUE(limit.at("default").is_string());
}

TEST(FunctionFile, OpenAisToolsAndMcpsAndDescriptionsAreRead) {
  const auto tools = read(
      R"([{"type":"function","function":{"name":"a","description":"A","parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}},
          {"name":"b","description":"B","inputSchema":{"type":"object","properties":{"y":{"type":"number"}}}}])");
  ASSERT_TRUE(tools) << tools.error().message;
  EXPECT_EQ(tools->registry.find("a")->required(), std::vector<std::string>{"x"});
  EXPECT_TRUE(tools->registry.find("b")->parameter("y"));
  const auto lines = read(
      R"({"api_name":"c","api_description":"C","parameters":{"z":{"type":"int"}},"required":["z"]}
{"api_name":"d","api_description":"D","parameters":{}})");
  ASSERT_TRUE(lines) << lines.error().message;
  EXPECT_EQ(lines->registry.find("c")->parameter("z")->at("type"), "integer");
  const auto map = read(R"({"e":"What e does.","f":"What f does."})");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->registry.find("f")->description, "What f does.");
}

TEST(FunctionFile, ToolsCanBePrintedInOpenAisForm) {
  const auto file = read(kOwn);
  ASSERT_TRUE(file);
  const auto again =
      read(boost::json::serialize(FunctionRegistry::tools_json(file->registry.allowed(nullptr, ""))));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->registry.find("drop_task")->parameters,
            file->registry.find("drop_task")->parameters);
}

TEST(FunctionFile, McpServersAreNamedWithTheirCommandAndRisks) {
  const auto file = read(R"(
import:
  - mcp: {name: files, command: [node, server.js, /tmp], risks: {read_file: read}, deadline_ms: 500}
    intents: [RAG_SEARCH]
)");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->servers.size(), 1U);
  EXPECT_EQ(file->servers[0].command.back(), "/tmp");
  EXPECT_EQ(file->servers[0].risks.at("read_file"), Risk::Read);
  EXPECT_EQ(file->servers[0].deadline, std::chrono::milliseconds(500));
}

TEST(FunctionFile, MistakesNameTheFunctionAndTheReason) {
  const auto message = [](std::string_view text) {
    const auto file = read(text);
    return file ? std::string("read") : file.error().message;
  };
  EXPECT_EQ(message("functions: [{name: a}, {name: a}]"), "function 'a': the name is taken");
  EXPECT_EQ(message("functions: [{description: x}]"), "function '': needs a name of 1 to 128 bytes");
  EXPECT_EQ(message("functions: [{name: a, risk: none}]"),
            "function 'a': risk must be read, write or delete");
  EXPECT_EQ(message("functions: [{name: a, parameters: {type: object, required: [x]}}]"),
            "function 'a': requires 'x', which it does not have");
  EXPECT_EQ(message("functions: [{name: a, patterns: ['(?P<x>.)']}]"),
            "function 'a': a pattern fills 'x', which it does not have");
  EXPECT_EQ(message("import: [{mcp: {url: 'http://x', command: [y]}}]"),
            "import 1: mcp needs either a command or a url");
  EXPECT_EQ(message("3"), "must be a list or a map of functions");
}

}  // namespace
}  // namespace signalbox

#include "call/mcp_client.h"

#include <fmt/format.h>

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr const char* kProtocol = "2025-06-18";
constexpr int kMaxPages = 64;

}  // namespace

McpClient::McpClient(McpServer server, std::shared_ptr<HttpClient> http)
    : server_(std::move(server)), http_(std::move(http)) {}

Result<json::value> McpClient::ask(std::string_view method, json::object params) {
  const std::int64_t id = next_id_++;
  auto answer = transport_->exchange(rpc_request(id, method, std::move(params)), id, server_.deadline);
  if (!answer)
    return fail(answer.error().code, fmt::format("{}: {}", server_.name, answer.error().message));
  if (answer->error)
    return fail(ErrorCode::InvalidInput, fmt::format("{}: {}", server_.name, answer->error->message));
  return std::move(answer->result);
}

Result<void> McpClient::open() {
  if (transport_) return {};
  if (server_.url.empty()) {
    auto started = start_mcp_process(server_.command);
    if (!started) return tl::unexpected(started.error());
    transport_ = *std::move(started);
  } else {
    transport_ = connect_mcp(server_.url, http_);
  }
  auto hello = ask("initialize", {{"protocolVersion", kProtocol},
                                  {"capabilities", json::object()},
                                  {"clientInfo", {{"name", "signalbox"}, {"version", "1"}}}});
  if (hello) {
    auto told =
        transport_->exchange(rpc_request(0, "notifications/initialized", {}), 0, server_.deadline);
    if (told) return {};
    hello = tl::unexpected(told.error());
  }
  transport_.reset();
  return tl::unexpected(hello.error());
}

Result<json::value> McpClient::ask_open(std::string_view method, json::object params) {
  const std::lock_guard lock(mutex_);
  if (auto opened = open(); !opened) return tl::unexpected(opened.error());
  auto answer = ask(method, std::move(params));
  // After anything but an answer the next call begins with a new connection: a late answer may still
  // come on this one. The call itself is not made twice: nobody knows whether it was carried out.
  if (!answer && answer.error().code != ErrorCode::InvalidInput) transport_.reset();
  return answer;
}

Result<std::vector<Function>> McpClient::tools() {
  std::vector<Function> out;
  std::string cursor;
  for (int page = 0; page < kMaxPages; ++page) {
    json::object params;
    if (!cursor.empty()) params["cursor"] = cursor;
    auto result = ask_open("tools/list", params);
    if (!result) return tl::unexpected(result.error());
    auto read = read_tool_page(*result);
    if (!read) return tl::unexpected(read.error());
    for (Function& function : read->functions) {
      function.handler.kind = HandlerKind::Mcp;
      function.handler.server = server_.name;
      function.handler.name = function.name;
      function.intents = server_.intents;
      if (const auto risk = server_.risks.find(function.name); risk != server_.risks.end())
        function.risk = risk->second;
      out.push_back(std::move(function));
    }
    cursor = std::move(read->next);
    if (cursor.empty()) return out;
  }
  return fail(ErrorCode::Corrupt, fmt::format("{}: tools/list does not end", server_.name));
}

Result<std::string> McpClient::call(const std::string& tool, const json::object& arguments) {
  auto result = ask_open("tools/call", {{"name", tool}, {"arguments", arguments}});
  if (!result) return tl::unexpected(result.error());
  return read_tool_result(*result);
}

std::vector<std::string> McpServers::import(const std::vector<McpServer>& servers,
                                            std::shared_ptr<HttpClient> http,
                                            FunctionRegistry& registry) {
  std::vector<std::string> notes;
  for (const McpServer& server : servers) {
    auto client = std::make_unique<McpClient>(server, http);
    auto tools = client->tools();
    if (!tools) {
      notes.push_back(fmt::format("MCP server {}: {}", server.name, tools.error().message));
      continue;
    }
    for (Function& function : *tools) {
      if (registry.find(function.name)) function.name = server.name + "_" + function.name;
      if (auto added = registry.add(std::move(function)); !added)
        notes.push_back(added.error().message);
    }
    clients_[server.name] = std::move(client);
  }
  return notes;
}

McpClient* McpServers::find(const std::string& name) const {
  const auto found = clients_.find(name);
  return found == clients_.end() ? nullptr : found->second.get();
}

}  // namespace signalbox

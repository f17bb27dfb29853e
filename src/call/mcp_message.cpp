#include "call/mcp_message.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "call/schema_check.h"
#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::array_at;
using json_fields::object_at;
using json_fields::text_at;

constexpr std::size_t kMaxErrorText = 300;

Risk risk_from_hints(const json::object& tool) {
  const json::object* hints = object_at(tool, "annotations");
  if (!hints) return Risk::Write;
  if (json_fields::true_at(*hints, "readOnlyHint")) return Risk::Read;
  return json_fields::true_at(*hints, "destructiveHint") ? Risk::Delete : Risk::Write;
}

}  // namespace

std::string rpc_request(std::int64_t id, std::string_view method, json::object params) {
  json::object out = {{"jsonrpc", "2.0"}};
  if (id != 0) out["id"] = id;
  out["method"] = method;
  out["params"] = std::move(params);
  return json::serialize(out);
}

std::string rpc_result(const json::value& id, json::object result) {
  return json::serialize(json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string rpc_method_unknown(const json::value& id) {
  return json::serialize(json::object{
      {"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", -32601}, {"message", "Method not found"}}}});
}

Result<RpcMessage> parse_rpc(std::string_view bytes) {
  const auto damaged = [](std::string_view what) {
    return fail(ErrorCode::Corrupt, fmt::format("no JSON-RPC message: {}", what));
  };
  if (bytes.size() > kMaxMcpMessage) return damaged("too long");
  boost::system::error_code ec;
  const json::value value = json::parse({bytes.data(), bytes.size()}, ec);
  if (ec) return damaged("not JSON");
  const json::object* object = value.if_object();
  if (!object || text_at(*object, "jsonrpc") != "2.0") return damaged("no version 2.0");
  RpcMessage out;
  out.method = text_at(*object, "method");
  if (const json::value* id = object->if_contains("id")) out.id = *id;
  if (const json::value* result = object->if_contains("result")) out.result = *result;
  if (const json::object* error = object_at(*object, "error")) {
    const std::string text(utf8_prefix(text_at(*error, "message"), kMaxErrorText));
    out.error = Error{ErrorCode::Upstream, text.empty() ? "the server gives no reason" : text};
  } else if (out.method.empty() && !object->contains("result")) {
    return damaged("neither a request nor a response");
  }
  return out;
}

Result<McpToolPage> read_tool_page(const json::value& result) {
  const json::object* object = result.if_object();
  const json::array* tools = object ? array_at(*object, "tools") : nullptr;
  if (!tools) return fail(ErrorCode::Corrupt, "tools/list gave no tools");
  McpToolPage out;
  out.next = text_at(*object, "nextCursor");
  for (const json::value& item : *tools) {
    const json::object* tool = item.if_object();
    if (!tool) continue;
    Function function;
    function.name = text_at(*tool, "name");
    function.description = text_at(*tool, "description");
    function.risk = risk_from_hints(*tool);
    if (const json::object* schema = object_at(*tool, "inputSchema")) function.parameters = *schema;
    if (function.name.empty()) continue;
    if (!function.parameters.empty() && schema_type(function.parameters) != "object") continue;
    out.functions.push_back(std::move(function));
  }
  return out;
}

Result<std::string> read_tool_result(const json::value& result) {
  const json::object* object = result.if_object();
  if (!object) return fail(ErrorCode::Corrupt, "tools/call gave no object");
  std::string text;
  const json::array* content = array_at(*object, "content");
  for (const json::value& item : content ? *content : json::array()) {
    const json::object* part = item.if_object();
    if (!part) continue;
    const std::string_view kind = text_at(*part, "type");
    if (!text.empty()) text += '\n';
    text += kind == "text" ? std::string(text_at(*part, "text"))
                           : fmt::format("[{}]", utf8_prefix(kind, 40));
  }
  if (text.empty() && object->contains("structuredContent"))
    text = json::serialize(object->at("structuredContent"));
  if (json_fields::true_at(*object, "isError")) return fail(ErrorCode::InvalidInput, std::move(text));
  return text;
}

}  // namespace signalbox

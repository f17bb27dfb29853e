// JSON-RPC 2.0 messages as the Model Context Protocol uses them: written and read, nothing sent.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "call/function.h"
#include "signalbox/result.h"

namespace signalbox {

inline constexpr std::size_t kMaxMcpMessage = std::size_t{8} << 20;

// One line without its end. `id` 0: a notification.
std::string rpc_request(std::int64_t id, std::string_view method, boost::json::object params);
std::string rpc_result(const boost::json::value& id, boost::json::object result);
std::string rpc_method_unknown(const boost::json::value& id);

struct RpcMessage {
  std::string method;         // of a request or notification; empty: a response
  boost::json::value id;      // null: a notification
  boost::json::value result;  // of a response
  std::optional<Error> error;

  bool answers(std::int64_t number) const {
    return method.empty() && id.is_int64() && id.get_int64() == number;
  }
};

// Corrupt: no JSON-RPC message. A peer's error object is a message, not a failure.
Result<RpcMessage> parse_rpc(std::string_view bytes);

// A page of `tools/list`: functions without handler, and the cursor of the next page. What has no name
// or no object schema is left out. The server's hints say the risk: readOnlyHint reads,
// destructiveHint deletes; without hints a tool writes.
struct McpToolPage {
  std::vector<Function> functions;
  std::string next;
};
Result<McpToolPage> read_tool_page(const boost::json::value& result);

// The text of a `tools/call` result. InvalidInput: the tool says it failed; the text says why.
Result<std::string> read_tool_result(const boost::json::value& result);

}  // namespace signalbox

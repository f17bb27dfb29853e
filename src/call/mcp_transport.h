// The way to an MCP server: a child process that speaks on its standard input and output, or an
// address.
//
// An exchange sends one message and waits for its answer; what the server says meanwhile (logging,
// progress) is passed over, its pings are answered. One exchange at a time: the caller locks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "call/mcp_message.h"
#include "net/http_client.h"

namespace signalbox {

class McpTransport {
 public:
  virtual ~McpTransport() = default;
  // `id` 0: nothing is waited for. Timeout, Upstream (the server is gone) or Corrupt.
  virtual Result<RpcMessage> exchange(const std::string& message, std::int64_t id, Duration budget) = 0;
};

// Starts the program; its standard error goes nowhere. Destroying the transport ends the child: end of
// input first, then a signal, and it is always reaped. InvalidInput: no such program.
Result<std::unique_ptr<McpTransport>> start_mcp_process(const std::vector<std::string>& command);

// Streamable HTTP: one POST a message, answered with JSON or an event stream; keeps the server's
// session.
std::unique_ptr<McpTransport> connect_mcp(std::string url, std::shared_ptr<HttpClient> http);

}  // namespace signalbox

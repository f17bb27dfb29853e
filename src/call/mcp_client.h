// Speaks the Model Context Protocol with one server: initialize, tools/list, tools/call.
//
// Every exchange has a deadline and a bound. A server that has ended is started again at the next call.
// Thread-safe: one exchange at a time.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "call/function_file.h"
#include "call/mcp_transport.h"

namespace signalbox {

class McpClient {
 public:
  McpClient(McpServer server, std::shared_ptr<HttpClient> http);

  // Its tools, with their handler. InvalidInput: no such program. Timeout, Upstream or Corrupt.
  Result<std::vector<Function>> tools();

  // What the tool answered, as text. InvalidInput: the tool refuses the arguments or failed.
  Result<std::string> call(const std::string& tool, const boost::json::object& arguments);

  const McpServer& server() const { return server_; }

 private:
  Result<void> open();
  Result<boost::json::value> ask(std::string_view method, boost::json::object params);
  Result<boost::json::value> ask_open(std::string_view method, boost::json::object params);

  McpServer server_;
  std::shared_ptr<HttpClient> http_;
  std::mutex mutex_;
  std::unique_ptr<McpTransport> transport_;  // guarded by mutex_; empty: not connected
  std::int64_t next_id_ = 1;                 // guarded by mutex_
};

// The servers of a file of functions, by name.
class McpServers {
 public:
  // Adds the tools of every server to the registry. A server that cannot be reached is a note: the
  // other functions go on working.
  std::vector<std::string> import(const std::vector<McpServer>& servers,
                                  std::shared_ptr<HttpClient> http, FunctionRegistry& registry);
  McpClient* find(const std::string& name) const;

 private:
  std::map<std::string, std::unique_ptr<McpClient>> clients_;
};

}  // namespace signalbox

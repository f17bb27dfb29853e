// Bytes as what an MCP server says: messages, pages of tools, results of calls.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "call/mcp_message.h"
#include "call/schema_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  auto message = parse_rpc({reinterpret_cast<const char*>(data), size});
  if (!message) return message.error().code == ErrorCode::Corrupt ? 0 : (std::abort(), 0);
  if (message->error && message->error->message.empty()) std::abort();
  if (auto page = read_tool_page(message->result)) {
    for (const Function& function : page->functions) {
      if (function.name.empty()) std::abort();
      if (!function.parameters.empty() && schema_type(function.parameters) != "object") std::abort();
    }
  }
  (void)read_tool_result(message->result);
  return 0;
}

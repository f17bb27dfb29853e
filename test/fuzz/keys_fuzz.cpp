// Bytes as a key file, as a query string and as a listen address.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "net/listen_address.h"
#include "net/server_request.h"
#include "server/guard.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (auto keys = parse_keys(bytes)) {
    for (const KeyLine& line : *keys) {
      // What was read can be written and read again, with the same rights.
      const auto again = parse_keys(line.name.empty() ? "" : line.text());
      if (!line.name.empty() && (!again || again->size() != 1 || again->front().scopes != line.scopes))
        std::abort();
    }
  } else if (keys.error().message.empty()) {
    std::abort();
  }
  if (query_value(bytes, "cursor").size() > size) std::abort();
  (void)parse_listen_address(bytes);
  return 0;
}

// "127.0.0.1:8080", "[::1]:8080", "localhost:0" or "unix:/run/x.sock" taken apart. A host is a number
// or localhost: what a name would resolve to on another day cannot be promised to be this machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

struct ListenAddress {
  std::string host;  // without brackets; empty for a Unix socket
  std::uint16_t port = 0;
  std::string unix_path;
  bool is_loopback = false;  // only this machine can reach it
};

// InvalidInput says what is missing.
Result<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace signalbox

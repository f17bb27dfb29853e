// Which proxy a request goes through, by the environment's rules.
//
// http_proxy (lower case alone: a web server may set the other from a caller's header), https_proxy,
// HTTPS_PROXY, all_proxy, ALL_PROXY; no_proxy or NO_PROXY lists hosts that are reached directly:
// `*`, `host`, `.suffix`, each with an optional `:port`. Loopback is always reached directly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "net/url.h"

namespace signalbox {

struct Proxies {
  std::string http;   // for http:// addresses; empty: none
  std::string https;  // for https:// addresses
  std::vector<std::string> direct;

  static Proxies from_environment();

  // Nothing: go directly. InvalidInput: the proxy's own address is wrong or not http://.
  Result<std::optional<Url>> choose(const Url& url) const;
};

}  // namespace signalbox

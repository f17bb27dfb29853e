#include "net/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <charconv>

namespace signalbox {

Result<ListenAddress> parse_listen_address(std::string_view text) {
  ListenAddress out;
  if (text.rfind("unix:", 0) == 0) {
    out.unix_path = text.substr(5);
    // The kernel's limit for the name of a socket.
    if (out.unix_path.empty() || out.unix_path.size() > 107)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("'{}': expected unix:PATH, at most 107 bytes", text));
    out.is_loopback = true;
    return out;
  }
  const std::size_t colon = text.rfind(':');
  const auto wrong = [&] {
    return fail(ErrorCode::InvalidInput,
                fmt::format("'{}': expected HOST:PORT, [IPV6]:PORT or unix:PATH", text));
  };
  if (colon == std::string_view::npos || colon == 0) return wrong();
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.front() == '[') {
    if (host.size() < 4 || host.back() != ']') return wrong();
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return wrong();
  }
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (port.empty() || error != std::errc() || end != port.data() + port.size()) return wrong();
  out.host = host == "localhost" ? "127.0.0.1" : host;
  in_addr v4{};
  in6_addr v6{};
  if (inet_pton(AF_INET, out.host.c_str(), &v4) == 1)
    out.is_loopback = (ntohl(v4.s_addr) >> 24) == 127;
  else if (inet_pton(AF_INET6, out.host.c_str(), &v6) == 1)
    out.is_loopback = IN6_IS_ADDR_LOOPBACK(&v6);
  else
    return wrong();
  return out;
}

}  // namespace signalbox

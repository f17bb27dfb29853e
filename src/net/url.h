// The parts of an http or https address.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

struct Url {
  std::string scheme;    // "http" or "https"
  std::string userinfo;  // as written, without '@'; a secret
  std::string host;      // in lower case, an IPv6 address without its brackets
  std::uint16_t port = 0;
  std::string target = "/";  // path and query, without the fragment

  bool is_tls() const { return scheme == "https"; }
  bool is_default_port() const { return port == (is_tls() ? 443 : 80); }
  // "host:port", for messages and the pool; holds no secret.
  std::string place() const;
  // What the Host header says: the port only where it is not the scheme's own.
  std::string authority() const;
};

// InvalidInput, with a text that repeats nothing of the address: it may hold a password.
Result<Url> parse_url(std::string_view text);

// `base` with `location` in its place, as a redirect means it: a whole address, //host/path, /path
// or a path beside the base's own.
Result<Url> resolve_location(const Url& base, std::string_view location);

// The address without user and password, for logs and messages; "(no address)" when it is none.
std::string without_userinfo(std::string_view url);

std::string base64_encode(std::string_view bytes);

// "%40" and the like become the bytes they stand for.
std::string percent_decode(std::string_view text);

}  // namespace signalbox

// What a server's handler sees of HTTP, and what it answers: plain values, no library's types.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

struct HeaderField {
  std::string_view name;
  std::string_view value;
};

// Views into the connection's buffers: good until the handler returns, no longer.
struct ServerRequest {
  std::string_view method;  // "GET", "POST", …
  std::string_view path;    // before the '?', as it was sent
  std::string_view query;   // behind it
  std::span<const HeaderField> headers;
  std::string_view body;
  bool is_local = false;  // the peer is on this machine: loopback or a Unix socket

  // Without case; empty when there is none. Of several, the first.
  std::string_view header(std::string_view name) const;
};

struct ServerReply {
  int status = 200;
  std::string_view content_type = "application/json";  // of static lifetime
  std::string fields;                                  // further header lines, each ended by CRLF
  std::string body;

  // Control characters in the value become blanks: what a message holds cannot begin a line of its own.
  void add_header(std::string_view name, std::string_view value);
  void clear();
};

// The value of `name` in "a=1&b=two+words%21", decoded; empty when it is not there. A broken escape
// stays as it stands.
std::string query_value(std::string_view query, std::string_view name);

// "%2F" and "+" (only where `plus_is_blank`) decoded.
std::string decode_percent(std::string_view text, bool plus_is_blank);

}  // namespace signalbox

// The bytes of an HTTP answer's head.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/server_request.h"

namespace signalbox {

struct HeadOptions {
  std::optional<std::size_t> length;  // without: chunked, or up to the connection's end for HTTP/1.0
  bool keep_alive = true;
  bool is_http_1_0 = false;
  std::string_view date;  // "Sun, 06 Nov 1994 08:49:37 GMT"
};

void append_head(std::string& out, const ServerReply& reply, const HeadOptions& options);

// One chunk of a chunked body; an empty piece adds nothing, because it would end the body.
void append_chunk(std::string& out, std::string_view piece);

inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

std::string http_date(std::int64_t seconds);

// An error of HTTP itself, OpenAI-shaped like all others.
ServerReply http_error(int status, std::string_view message);

}  // namespace signalbox

// Reads one HTTP/1.1 answer from bytes as they come: head, then body, chunked or not.
//
// Bounded: a head or a body over its limit is an error, as is anything that is no HTTP. Interim
// answers (1xx) are passed over. Knows no sockets.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "net/http_client.h"

namespace signalbox {

struct ResponseLimits {
  std::size_t max_header = std::size_t{64} << 10;
  std::size_t max_body = std::size_t{64} << 20;  // zero: any
  bool has_no_body = false;                      // the answer to HEAD or CONNECT
};

class ResponseReader {
 public:
  explicit ResponseReader(ResponseLimits limits);
  ~ResponseReader();
  ResponseReader(ResponseReader&&) noexcept;
  ResponseReader& operator=(ResponseReader&&) noexcept;

  // Upstream when the bytes are no answer or exceed a limit.
  Result<void> feed(std::string_view bytes);
  // The peer closed: the end of a body without a length, else Upstream.
  Result<void> feed_end();

  bool has_bytes() const { return has_bytes_; }  // any byte came at all
  bool has_head() const;
  bool is_done() const;
  // Whether the connection may serve another request: only when done, and nothing stray came.
  bool can_keep_alive() const;
  const HttpHead& head() const;
  // What of the body came since the last call.
  std::string take_body();

 private:
  class Parser;
  ResponseLimits limits_;
  std::unique_ptr<Parser> parser_;
  std::string pending_;  // not yet parsed
  bool has_bytes_ = false;
  int interim_ = 0;
};

}  // namespace signalbox

// Cuts a stream of bytes into lines, however the bytes come: newline-delimited JSON, server-sent
// events.
//
// Bytes may be split anywhere, inside a character too. A line over the limit is an error, so memory is
// bounded whatever the peer sends.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

enum class LineEnd {
  Newline,  // "\n" or "\r\n": JSON lines
  Any,      // a lone "\r" too: server-sent events
};

class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line, LineEnd end = LineEnd::Newline)
      : max_line_(max_line), end_(end) {}

  // Gives each whole line, without its end; false from `on_line` stops and is returned. Upstream: a
  // line is too long. The view is good during the call alone.
  Result<bool> feed(std::string_view bytes, const std::function<bool(std::string_view line)>& on_line);
  // The last line, when no end of line came after it.
  Result<bool> finish(const std::function<bool(std::string_view line)>& on_line);

 private:
  std::size_t max_line_;
  LineEnd end_;
  std::string pending_;
  bool after_return_ = false;  // a "\n" that comes next belongs to the line before
};

}  // namespace signalbox

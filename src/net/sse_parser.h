// Server-sent events from a stream of bytes, as the HTML standard reads them.
//
// Lines may end in any way, bytes may be split anywhere; comments and unknown fields are passed over.
// An event over the limit is an error.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "net/line_splitter.h"

namespace signalbox {

struct SseEvent {
  std::string type;  // empty: "message"
  std::string data;  // its lines joined by "\n"
  std::string id;    // the last one that was sent
};

class SseParser {
 public:
  explicit SseParser(std::size_t max_event = std::size_t{1} << 20)
      : max_event_(max_event), lines_(max_event, LineEnd::Any) {}

  // Gives each whole event; false from `on_event` stops and is returned. Upstream: an event is too
  // long.
  Result<bool> feed(std::string_view bytes, const std::function<bool(const SseEvent& event)>& on_event);
  // The last event, when the stream ends without the empty line after it.
  Result<bool> finish(const std::function<bool(const SseEvent& event)>& on_event);

 private:
  bool take_line(std::string_view line, const std::function<bool(const SseEvent& event)>& on_event);
  bool dispatch(const std::function<bool(const SseEvent& event)>& on_event);

  std::size_t max_event_;
  LineSplitter lines_;
  SseEvent event_;
  bool has_data_ = false;
  bool is_too_long_ = false;
  bool is_first_line_ = true;
};

}  // namespace signalbox

#include "net/sse_parser.h"

#include <fmt/format.h>

namespace signalbox {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<bool> SseParser::feed(std::string_view bytes,
                             const std::function<bool(const SseEvent& event)>& on_event) {
  auto fed = lines_.feed(bytes, [&](std::string_view line) { return take_line(line, on_event); });
  if (is_too_long_)
    return fail(ErrorCode::Upstream,
                fmt::format("an event of the stream is over {} bytes", max_event_));
  return fed;
}

Result<bool> SseParser::finish(const std::function<bool(const SseEvent& event)>& on_event) {
  auto last = lines_.finish([&](std::string_view line) { return take_line(line, on_event); });
  if (is_too_long_) return fail(ErrorCode::Upstream, "the last event of the stream is too long");
  if (!last || !*last) return last;
  return dispatch(on_event);
}

bool SseParser::take_line(std::string_view line,
                          const std::function<bool(const SseEvent& event)>& on_event) {
  if (is_first_line_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  is_first_line_ = false;
  if (line.empty()) return dispatch(on_event);
  if (line.front() == ':') return true;
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    is_too_long_ = event_.data.size() + value.size() + 1 > max_event_;
    if (is_too_long_) return false;
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  } else if (field == "event") {
    event_.type = value;
  } else if (field == "id" && value.find('\0') == std::string_view::npos) {
    event_.id = value;
  }
  return true;
}

bool SseParser::dispatch(const std::function<bool(const SseEvent& event)>& on_event) {
  const bool goes_on = !has_data_ || on_event(event_);
  event_.type.clear();
  event_.data.clear();
  has_data_ = false;
  return goes_on;
}

}  // namespace signalbox

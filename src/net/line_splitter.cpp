#include "net/line_splitter.h"

#include <fmt/format.h>

namespace signalbox {

Result<bool> LineSplitter::feed(std::string_view bytes,
                                const std::function<bool(std::string_view line)>& on_line) {
  while (!bytes.empty()) {
    if (after_return_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_return_ = false;
    const std::size_t end = bytes.find_first_of(end_ == LineEnd::Any ? "\r\n" : "\n");
    const std::string_view piece = bytes.substr(0, end);
    if (pending_.size() + piece.size() > max_line_)
      return fail(ErrorCode::Upstream, fmt::format("a line of the stream is over {} bytes", max_line_));
    if (end == std::string_view::npos) {
      pending_ += piece;
      break;
    }
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    std::string_view line = piece;
    if (!pending_.empty()) line = pending_ += piece;
    if (end_ == LineEnd::Newline && line.ends_with('\r')) line.remove_suffix(1);
    const bool goes_on = on_line(line);
    pending_.clear();
    if (!goes_on) return false;
  }
  return true;
}

Result<bool> LineSplitter::finish(const std::function<bool(std::string_view line)>& on_line) {
  if (pending_.empty()) return true;
  const std::string line = std::move(pending_);
  pending_.clear();
  return on_line(line);
}

}  // namespace signalbox

#include "llm/text_pieces.h"

#include <algorithm>

#include "base/utf8.h"

namespace signalbox {
namespace {

// How many bytes at the end are the beginning of a character whose rest is still to come.
std::size_t cut_character(std::string_view text) {
  const std::size_t most = std::min<std::size_t>(3, text.size());
  for (std::size_t back = 1; back <= most; ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const std::size_t length = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

// How many bytes at the end are the beginning of a stop string.
std::size_t begun_stop(std::string_view text, const std::vector<std::string>& stops) {
  std::size_t longest = 0;
  for (const std::string& stop : stops) {
    for (std::size_t size = std::min(stop.size() - 1, text.size()); size > longest; --size) {
      if (text.ends_with(std::string_view(stop).substr(0, size))) longest = size;
    }
  }
  return longest;
}

}  // namespace

std::string TextPieces::add(std::string_view bytes) {
  if (stopped_) return {};
  held_ += bytes;
  for (const std::string& stop : stops_) {
    const std::size_t at = stop.empty() ? std::string::npos : held_.find(stop);
    if (at == std::string::npos) continue;
    held_.resize(at);
    stopped_ = true;
  }
  if (stopped_) return take(held_.size());
  return take(held_.size() - std::max(cut_character(held_), begun_stop(held_, stops_)));
}

std::string TextPieces::finish() {
  return take(held_.size());
}

std::string TextPieces::take(std::size_t bytes) {
  std::string out;
  const std::string_view text = std::string_view(held_).substr(0, bytes);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    append_utf8(out, point.value);
    at += point.bytes;
  }
  held_.erase(0, bytes);
  return out;
}

}  // namespace signalbox

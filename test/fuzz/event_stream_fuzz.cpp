// Bytes as server-sent events and as JSON lines: the same whatever way they are split, within limits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/sse_parser.h"

namespace {

constexpr std::size_t kLimit = 256;

std::string events(std::string_view text, std::size_t piece) {
  signalbox::SseParser parser(kLimit);
  std::string out;
  const auto keep = [&](const signalbox::SseEvent& event) {
    if (event.data.size() > kLimit) __builtin_trap();
    out += event.type + '\1' + event.data + '\2' + event.id + '\3';
    return true;
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!parser.feed(text.substr(at, piece), keep)) return out + "error";
  }
  (void)parser.finish(keep);
  return out;
}

std::string lines(std::string_view text, std::size_t piece) {
  signalbox::LineSplitter splitter(kLimit);
  std::string out;
  const auto keep = [&](std::string_view line) {
    if (line.size() > kLimit || line.find('\n') != std::string_view::npos) __builtin_trap();
    out += std::string(line) + '\n';
    return true;
  };
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!splitter.feed(text.substr(at, piece), keep)) return out + "error";
  }
  (void)splitter.finish(keep);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t whole = std::max<std::size_t>(size, 1);
  if (events(text, whole) != events(text, 1) || events(text, whole) != events(text, 5))
    __builtin_trap();
  if (lines(text, whole) != lines(text, 1) || lines(text, whole) != lines(text, 5)) __builtin_trap();
  return 0;
}

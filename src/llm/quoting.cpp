#include "llm/quoting.h"

#include <algorithm>

#include "base/utf8.h"

namespace signalbox {
namespace {

// Servers that render a chat template read these marks wherever they stand.
void append_apart(std::string& out, char c) {
  if (c == '|' && !out.empty() && out.back() == '<') out += ' ';
  out += c;
}

}  // namespace

std::string fenced(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '~' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '~');
  std::string out = fence;
  out.reserve(text.size() + 2 * fence.size() + 16);
  out += '\n';
  for (const char c : text) append_apart(out, c);
  if (out.back() != '\n') out += '\n';
  return out + fence;
}

std::string one_line(std::string_view text, std::size_t characters) {
  const std::string_view cut = utf8_prefix(text, characters);
  std::string out;
  out.reserve(cut.size());
  for (std::size_t at = 0; at < cut.size();) {
    const CodePoint point = decode_utf8(cut, at);
    // U+0085, U+2028 and U+2029 break lines too.
    const bool is_control = point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0) ||
                            point.value == 0x2028 || point.value == 0x2029;
    if (is_control)
      out += ' ';
    else if (point.bytes == 1)
      append_apart(out, cut[at]);
    else
      out += cut.substr(at, point.bytes);
    at += point.bytes;
  }
  return out;
}

}  // namespace signalbox

#include "base/columns.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "base/utf8.h"

namespace signalbox {
namespace {

constexpr std::size_t kLeastRoom =
    16;  // narrower than this, broken lines are harder to read than long ones

bool is_wide(char32_t c) {
  if (c < 0x1100) return false;
  const int width = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

std::size_t width_of(char32_t c) {
  if (c < 0x0300) return 1;
  const auto mask = U_GET_GC_MASK(static_cast<UChar32>(c));
  if ((mask & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) != 0) return 0;
  return is_wide(c) ? 2 : 1;
}

bool turns_direction(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// Where the first line of `text` ends: at a blank or between wide characters where one can, else in a
// word.
struct Break {
  std::size_t end = 0;   // bytes shown
  std::size_t next = 0;  // where the next line begins
};

Break first_line(std::string_view text, std::size_t room) {
  Break best;
  std::size_t width = 0;
  bool was_wide = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const std::size_t own = width_of(point.value);
    if (point.value == ' ')
      best = {at, at + 1};
    else if (own == 2 && at > 0 && was_wide)
      best = {at, at};
    if (width + own > room) {
      if (best.next > 0) return best;
      return at > 0 ? Break{at, at} : Break{point.bytes, point.bytes};
    }
    was_wide = own == 2 || (own == 0 && was_wide);
    width += own;
    at += point.bytes;
  }
  return {text.size(), text.size()};
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    width += width_of(point.value);
    at += point.bytes;
  }
  return width;
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const char32_t c = point.value;
    const bool is_control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
    if (c == '\n' || c == '\t' || c == '\r')
      out += ' ';
    else
      append_utf8(out, is_control || turns_direction(c) ? char32_t{0xFFFD} : c);
    at += point.bytes;
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  if (columns == 0) return std::string(text);
  const std::size_t room = columns > indent + kLeastRoom ? columns - indent : kLeastRoom;
  std::string out;
  while (!text.empty()) {
    const Break line = first_line(text, room);
    if (!out.empty()) out += "\n" + std::string(indent, ' ');
    out += text.substr(0, line.end);
    text.remove_prefix(line.next);
    while (text.starts_with(' ')) text.remove_prefix(1);
  }
  return out;
}

}  // namespace signalbox

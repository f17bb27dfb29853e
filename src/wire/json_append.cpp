#include "wire/json_append.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <iterator>

namespace signalbox {
namespace {

// What stands behind the backslash; 'u' means four hexadecimal digits; 0: the byte as it is.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> table{};
  for (std::size_t c = 0; c < 0x20; ++c) table[c] = 'u';
  table['\b'] = 'b';
  table['\f'] = 'f';
  table['\n'] = 'n';
  table['\r'] = 'r';
  table['\t'] = 't';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out.append(text, from, i - from);
    from = i + 1;
    out += '\\';
    out += escape;
    if (escape == 'u') fmt::format_to(std::back_inserter(out), FMT_COMPILE("{:04x}"), byte);
  }
  out.append(text, from, text.size() - from);
  out += '"';
}

void append_json_number(std::string& out, double number) {
  if (number == static_cast<double>(static_cast<std::int64_t>(number)) && number < 1e15 &&
      number > -1e15)
    return append_json_number(out, static_cast<std::int64_t>(number));
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), number);
}

void append_json_number(std::string& out, std::int64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

}  // namespace signalbox

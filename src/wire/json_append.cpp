#include "wire/json_append.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
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
  const auto needs_escape = [](char c) { return kEscapes[static_cast<unsigned char>(c)] != 0; };
  const auto first = std::find_if(text.begin(), text.end(), needs_escape);
  const auto plain = static_cast<std::size_t>(first - text.begin());
  // One growth of the string for what nearly every text is: nothing to escape.
  const std::size_t at = out.size();
  out.resize(at + plain + (plain == text.size() ? 2 : 1), '"');
  text.copy(out.data() + at + 1, plain);
  if (plain == text.size()) return;
  for (const char c : text.substr(plain)) {
    const char escape = kEscapes[static_cast<unsigned char>(c)];
    if (escape == 0) {
      out += c;
      continue;
    }
    out += '\\';
    out += escape;
    if (escape == 'u')
      fmt::format_to(std::back_inserter(out), FMT_COMPILE("{:04x}"), static_cast<unsigned char>(c));
  }
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

// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
  bool is_valid = true;
};

// The same for a lead byte of 0x80 and above.
CodePoint decode_long_utf8(std::string_view text, std::size_t at);

// The code point that starts at `at`; bad bytes come back one by one as U+FFFD, not valid.
inline CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1, true};
  return decode_long_utf8(text, at);
}

void append_utf8(std::string& out, char32_t code_point);

// Offset of the first byte that is not UTF-8 (overlong forms, surrogates and cut sequences are not).
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

// At most `characters` code points from the start; never cuts inside one.
std::string_view utf8_prefix(std::string_view text, std::size_t characters);

std::size_t count_code_points(std::string_view text);

}  // namespace signalbox

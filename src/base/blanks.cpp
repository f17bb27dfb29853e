#include "base/blanks.h"

namespace signalbox {

std::string filled_blanks(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    const auto value = close == std::string_view::npos
                           ? values.end()
                           : values.find(std::string(text.substr(at + 1, close - at - 1)));
    if (value == values.end()) {
      out += text[at++];
      continue;
    }
    out += value->second;
    at = close + 1;
  }
  return out;
}

}  // namespace signalbox

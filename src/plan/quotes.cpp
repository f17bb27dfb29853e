#include "plan/quotes.h"

#include <array>
#include <utility>

namespace signalbox::planning {
namespace {

constexpr std::size_t kLongestTerm = 120;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kMarks = {{
    {"\"", "\""},
    {"`", "`"},
    {"'", "'"},
    {"“", "”"},
    {"‘", "’"},
    {"«", "»"},
    {"「", "」"},
    {"『", "』"},
    {"《", "》"},
}};

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

// Whether a mark can begin with this byte: the plain marks, and the lead bytes of the others.
bool may_open(char c) {
  return c == '"' || c == '`' || c == '\'' || c == '\xE2' || c == '\xE3' || c == '\xC2';
}

// Where the term that opens at `begin` ends, or npos.
std::size_t find_close(std::string_view text, std::size_t begin, std::string_view mark) {
  for (std::size_t at = begin;; ++at) {
    at = text.find(mark, at);
    if (at == std::string_view::npos || at - begin > kLongestTerm) return std::string_view::npos;
    const bool is_apostrophe = mark == "'" && at + 1 < text.size() && is_word_byte(text[at + 1]);
    if (!is_apostrophe) return at > begin ? at : std::string_view::npos;
  }
}

}  // namespace

std::vector<Quote> find_quotes(std::string_view text) {
  std::vector<Quote> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at + 1;
    if (!may_open(text[at])) {
      at = next;
      continue;
    }
    for (const auto& [open, close] : kMarks) {
      if (!text.substr(at).starts_with(open)) continue;
      if (open == "'" && at > 0 && is_word_byte(text[at - 1])) continue;
      const std::size_t begin = at + open.size();
      const std::size_t end = find_close(text, begin, close);
      if (end == std::string_view::npos) continue;
      out.push_back({at, begin, end, end + close.size()});
      next = end + close.size();
      break;
    }
    at = next;
  }
  return out;
}

}  // namespace signalbox::planning

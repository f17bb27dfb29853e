#include "model/intents.h"

#include <algorithm>

namespace signalbox {
namespace {

bool is_ascii_word(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u >= 0x80;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool matches(std::string_view text, std::size_t at, std::string_view separator) {
  if (text.size() - at < separator.size()) return false;
  for (std::size_t i = 0; i < separator.size(); ++i) {
    if (lower(text[at + i]) != separator[i]) return false;
  }
  // A separator of letters from a spaced script stands between blanks.
  const bool spaced = is_ascii_word(separator.front()) && static_cast<unsigned char>(separator.front()) < 0xE0;
  if (!spaced) {
    // A dot or comma inside a number or a name splits nothing.
    const bool ascii_mark = static_cast<unsigned char>(separator.front()) < 0x80;
    const std::size_t end = at + separator.size();
    return !ascii_mark || end >= text.size() || is_blank(text[end]);
  }
  const std::size_t end = at + separator.size();
  return at > 0 && !is_ascii_word(text[at - 1]) && end < text.size() && !is_ascii_word(text[end]);
}

bool has_word(std::string_view part) { return std::any_of(part.begin(), part.end(), is_ascii_word); }

Cut trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin > 0 && !is_ascii_word(text[begin - 1])) --begin;
  while (end < text.size() && is_blank(text[end])) ++end;
  return {begin, end};
}

}  // namespace

std::vector<Cut> find_cuts(std::string_view text, const std::vector<std::string>& separators) {
  std::vector<Cut> cuts;
  for (std::size_t at = 0; at < text.size() && cuts.size() < kMostCuts;) {
    std::size_t length = 0;
    for (const std::string& separator : separators) {
      if (separator.size() > length && matches(text, at, separator)) length = separator.size();
    }
    if (length == 0) {
      ++at;
      continue;
    }
    Cut cut = trimmed(text, at, at + length);
    at += length;
    // ", and then" is one place, not two.
    const std::size_t previous = cuts.empty() ? 0 : cuts.back().right_begin;
    if (!has_word(text.substr(0, cut.left_end)) || !has_word(text.substr(cut.right_begin))) continue;
    if (!cuts.empty() && cut.left_end <= previous) {
      cuts.back().right_begin = cut.right_begin;
      continue;
    }
    cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace signalbox

#include "plan/symbol.h"

#include <algorithm>

namespace signalbox::planning {
namespace {

constexpr std::size_t kLongestEnding = 5;  // .jsonl
constexpr std::size_t kShortestCode = 3;   // 404

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alnum(char c) {
  return is_upper(c) || is_lower(c) || is_digit(c);
}

// Whether `pred` holds for two neighbours somewhere.
template <typename Pred>
bool any_pair(std::string_view text, Pred pred) {
  return std::adjacent_find(text.begin(), text.end(), pred) != text.end();
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool is_file_name(std::string_view chunk) {
  if (has(chunk, "://")) return false;
  const std::size_t dot = chunk.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view ending = chunk.substr(dot + 1);
  if (ending.empty() || ending.size() > kLongestEnding ||
      !std::all_of(ending.begin(), ending.end(), is_alnum)) {
    return false;
  }
  if (!is_upper(ending[0]) && !is_lower(ending[0])) return false;
  const std::size_t slash = chunk.rfind('/', dot);
  const std::size_t stem = dot - (slash == std::string_view::npos ? 0 : slash + 1);
  if (stem == 0) return ending.size() > 1;  // .env
  return stem > 1 || ending.size() > 1;     // a.md, not e.g
}

bool is_symbol(std::string_view chunk) {
  if (chunk.empty()) return false;
  const auto upper = std::count_if(chunk.begin(), chunk.end(), is_upper);
  const auto lower = std::count_if(chunk.begin(), chunk.end(), is_lower);
  const auto digits = std::count_if(chunk.begin(), chunk.end(), is_digit);
  if (upper + lower + digits == 0) return false;
  if (lower == 0 && upper == 0) return static_cast<std::size_t>(digits) >= kShortestCode;
  if (digits > 0) return true;
  if (lower == 0 && upper > 1) return true;
  if (has(chunk, "::") || has(chunk, "->") || has(chunk, "://") || chunk.starts_with("--")) return true;
  if (chunk.find('_') != std::string_view::npos || chunk.ends_with("++") || chunk.ends_with('#'))
    return true;
  if (chunk.starts_with('/') || chunk.starts_with("./") ||
      std::count(chunk.begin(), chunk.end(), '/') > 1)
    return true;
  if (is_file_name(chunk)) return true;
  return any_pair(chunk, [](char a, char b) { return is_lower(a) && is_upper(b); });
}

}  // namespace signalbox::planning

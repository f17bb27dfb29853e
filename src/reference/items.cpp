#include "reference/items.h"

#include "base/utf8.h"

namespace signalbox::reference {
namespace {

constexpr std::size_t kMaxItems = 100;
constexpr std::size_t kMaxBytes = 200;

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r*`");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r*`") - begin + 1);
}

// What stands behind the mark of an item; empty when the line is none.
std::string_view behind_mark(std::string_view line, bool& is_numbered) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  for (const std::string_view bullet : {"- ", "* ", "• ", "– "}) {
    if (line.starts_with(bullet)) return trim(line.substr(bullet.size()));
  }
  std::size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  if (digits == 0 || digits > 3 || digits + 1 >= line.size()) return {};
  for (const std::string_view mark : {". ", ") ", ", ", ": ", "、", "．", "）"}) {
    if (!line.substr(digits).starts_with(mark)) continue;
    is_numbered = true;
    return trim(line.substr(digits + mark.size()));
  }
  return {};
}

std::string item_text(std::string_view item) {
  if (item.ends_with(')')) {
    const std::size_t open = item.rfind(" (");
    if (open != std::string_view::npos && open > 0) item = trim(item.substr(0, open));
  }
  if (item.size() > kMaxBytes) item = utf8_prefix(item, kMaxBytes / 4);
  return std::string(item);
}

}  // namespace

std::vector<std::string> list_items(std::string_view text) {
  std::vector<std::string> best;
  std::vector<std::string> now;
  bool is_numbered = false;
  const auto close = [&] {
    if ((now.size() > 1 || is_numbered) && now.size() > best.size()) best = now;
    now.clear();
    is_numbered = false;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view item = behind_mark(line, is_numbered);
    if (!item.empty() && now.size() < kMaxItems)
      now.push_back(item_text(item));
    else if (!trim(line).empty() && !line.starts_with("  "))
      close();
  }
  close();
  return best;
}

}  // namespace signalbox::reference

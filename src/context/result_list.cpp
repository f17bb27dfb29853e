#include "context/result_list.h"

namespace signalbox {
namespace {

constexpr std::string_view kBlank = " \t\r";

// What follows the mark of a list's line; empty when it is none. `number` is 0 for a bullet.
std::string_view item_of(std::string_view line, std::size_t& number) {
  const std::size_t start = line.find_first_not_of(kBlank);
  if (start == std::string_view::npos) return {};
  line = line.substr(start);
  std::size_t mark = 0;
  number = 0;
  while (mark < line.size() && mark < 3 && line[mark] >= '0' && line[mark] <= '9')
    number = number * 10 + static_cast<std::size_t>(line[mark++] - '0');
  if (mark > 0) {
    if (mark == line.size() || (line[mark] != '.' && line[mark] != ')')) return {};
    ++mark;
  } else if (line[0] == '-' || line[0] == '*') {
    mark = 1;
  } else if (line.starts_with("•")) {
    mark = std::string_view("•").size();
  } else {
    return {};
  }
  if (mark >= line.size() || line[mark] != ' ') return {};
  line = line.substr(mark);
  const std::size_t first = line.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

// "gate.md (link)": what stands in brackets at the end says something of the item.
std::string_view without_note(std::string_view item) {
  const std::size_t open = item.ends_with(')') ? item.rfind(" (") : std::string_view::npos;
  return open == std::string_view::npos ? item : item.substr(0, open);
}

}  // namespace

std::vector<std::string> listed_items(std::string_view text) {
  std::vector<std::string> best;
  std::vector<std::string> run;
  bool is_numbered = false;
  const auto close = [&] {
    if (run.size() >= 2 && run.size() > best.size()) best = run;
    run.clear();
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(kBlank) == std::string_view::npos) continue;
    std::size_t number = 0;
    const std::string_view item = item_of(line, number);
    const bool goes_on = !item.empty() && !run.empty() && is_numbered == (number > 0) &&
                         (number == 0 || number == run.size() + 1);
    if (!goes_on) close();
    if (item.empty() || (!goes_on && number > 1)) continue;
    is_numbered = number > 0;
    run.emplace_back(without_note(item));
  }
  close();
  return best;
}

}  // namespace signalbox

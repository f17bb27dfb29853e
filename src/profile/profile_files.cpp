#include "profile/profile_files.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "base/utf8.h"
#include "profile/node_values.h"

namespace signalbox {

std::string ProfileFiles::text(const YamlNode& node, const std::string& key) const {
  const std::string path = (folder_ / text_of(node)).string();
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file || content.str().empty()) {
    out_.error(mark_of(node), key, fmt::format("file {} is missing or empty", text_of(node)));
  } else if (find_invalid_utf8(content.str())) {
    out_.error(mark_of(node), key, fmt::format("file {} is not UTF-8", text_of(node)));
  }
  return content.str();
}

std::vector<RouteExample> ProfileFiles::examples(const YamlNode& node, const std::string& key) const {
  std::vector<RouteExample> rows;
  std::istringstream lines(text(node, key));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || tab == 0 || tab + 1 == line.size()) {
      out_.error(mark_of(node), key,
                 fmt::format("{}:{}: expected text, tab, route", text_of(node), number));
      continue;
    }
    rows.push_back(
        {line.substr(0, tab), line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1), {number, 1}});
  }
  return rows;
}

}  // namespace signalbox

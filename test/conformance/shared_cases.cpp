#include "test/conformance/shared_cases.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "wire/request_json.h"

namespace signalbox {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
  }
  return lines;
}

}  // namespace

Result<std::map<std::string, std::string>> parse_left_out(std::string_view text,
                                                          const std::string& name) {
  std::map<std::string, std::string> out;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab + 1 == line.size()) {
      return fail(ErrorCode::InvalidInput, fmt::format("{}:{}: no reason", name, number));
    }
    const auto [at, is_new] = out.emplace(line.substr(0, tab), line.substr(tab + 1));
    if (!is_new)
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}:{}: {} stands twice", name, number, at->first));
  }
  return out;
}

SharedCases sort_rows(const SharedMap& map, const std::string& profile, std::string_view rows,
                      const std::map<std::string, std::string>& left_out) {
  SharedCases out;
  std::set<std::string> seen;
  for (const std::string_view line : lines_of(rows)) {
    if (line.empty()) continue;
    const auto row = parse_json_object(line);
    if (!row || !row->contains("id") || !row->at("id").is_string() || !row->contains("query")) {
      out.complaints.push_back(fmt::format("no row with id and query: {}", line.substr(0, 60)));
      continue;
    }
    const std::string id(row->at("id").as_string());
    seen.insert(id);
    if (left_out.contains(id)) continue;
    auto read = map.apply(profile, *row);
    if (!read) {
      out.complaints.push_back(fmt::format("{}: {}", id, read.error().message));
    } else if (read->one.expected.empty()) {
      out.complaints.push_back(id + ": nothing in it is judged, and left-out.tsv gives no reason");
    } else {
      out.judged.push_back(*std::move(read));
    }
  }
  for (const auto& [id, reason] : left_out) {
    if (!seen.contains(id)) out.complaints.push_back(id + ": left out, but there is no such row");
  }
  return out;
}

std::optional<std::string> shared_cases_folder() {
  namespace fs = std::filesystem;
  const char* named = std::getenv("SIGNALBOX_SHARED");
  const fs::path folder =
      (named ? fs::path(named) : fs::path(SIGNALBOX_SOURCE_DIR) / "../shared") / "cases";
  return fs::is_directory(folder) ? std::optional(folder.string()) : std::nullopt;
}

}  // namespace signalbox

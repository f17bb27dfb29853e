#include "model/rows.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostLabels = 32;

std::vector<std::string> split_labels(std::string_view joined) {
  std::vector<std::string> labels;
  while (!joined.empty()) {
    const std::size_t cut = joined.find('#');
    const std::string_view label = joined.substr(0, cut);
    if (!label.empty()) labels.emplace_back(label);
    joined = cut == std::string_view::npos ? std::string_view{} : joined.substr(cut + 1);
  }
  return labels;
}

const json::string* string_at(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_string();
}

// Routes of `expected`: several intents first, then the one route, then a null route as out of scope.
std::vector<std::string> expected_labels(const json::object& line) {
  if (const json::string* label = string_at(line, "label")) return split_labels(*label);
  const json::value* value = line.if_contains("expected");
  if (value == nullptr) return {};
  if (const json::string* route = value->if_string()) return split_labels(*route);
  const json::object* expected = value->if_object();
  if (expected == nullptr) return {};
  std::vector<std::string> labels;
  if (const json::value* intents = expected->if_contains("intents");
      intents != nullptr && intents->is_array()) {
    for (const json::value& intent : intents->get_array()) {
      if (const json::string* name = intent.if_string()) labels.emplace_back(name->c_str());
      if (!intent.is_object()) continue;
      if (const json::string* name = string_at(intent.get_object(), "route"))
        labels.emplace_back(name->c_str());
    }
  }
  if (labels.size() > 1) return labels;
  if (const json::string* route = string_at(*expected, "route")) return split_labels(*route);
  const json::value* route = expected->if_contains("route");
  if (route != nullptr && route->is_null()) return {std::string(kOutOfScopeLabel)};
  return labels;
}

Result<TrainRow> parse_json_line(std::string_view line) {
  boost::system::error_code error;
  const json::value value = json::parse(line, error);
  if (error) return fail(ErrorCode::InvalidInput, "not JSON: " + error.message());
  const json::object* object = value.if_object();
  if (object == nullptr) return fail(ErrorCode::InvalidInput, "expected a JSON object");
  const json::string* text = string_at(*object, "query");
  if (text == nullptr) text = string_at(*object, "text");
  if (text == nullptr) return fail(ErrorCode::InvalidInput, "no \"query\"");
  return TrainRow{std::string(*text), expected_labels(*object), std::string(line)};
}

Result<TrainRow> parse_tsv_line(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos)
    return fail(ErrorCode::InvalidInput, "expected text, a tab and a label");
  std::string_view label = line.substr(tab + 1);
  label = label.substr(0, label.find('\t'));
  TrainRow row{std::string(line.substr(0, tab)), split_labels(label)};
  if (row.labels.empty()) return fail(ErrorCode::InvalidInput, "the label is empty");
  return row;
}

}  // namespace

Result<std::vector<TrainRow>> parse_rows(std::string_view text, const std::string& name) {
  std::vector<TrainRow> rows;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with("# ")) continue;
    auto row = line.starts_with('{') ? parse_json_line(line) : parse_tsv_line(line);
    if (!row)
      return fail(row.error().code, fmt::format("{}:{}: {}", name, number, row.error().message));
    if (row->labels.size() > kMostLabels) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}:{}: more than {} labels", name, number, kMostLabels));
    }
    rows.push_back(*std::move(row));
  }
  return rows;
}

Result<std::string> read_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::NotFound, fmt::format("cannot read {}", path));
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Result<std::vector<TrainRow>> read_rows(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  return parse_rows(*text, path);
}

}  // namespace signalbox

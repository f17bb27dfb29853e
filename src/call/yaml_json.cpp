#include "call/yaml_json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/utf8.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxJsonDepth = 64;

json::value scalar_value(const YamlNode& node) {
  const std::string& text = node.Scalar();
  if (!node.IsPlain()) return json::string(text);
  if (text == "true" || text == "false") return text == "true";
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto read = std::from_chars(text.data(), end, integer);
      read.ec == std::errc() && read.ptr == end)
    return integer;
  double number = 0;
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec == std::errc() && read.ptr == end && std::isfinite(number))
    return number;
  return json::string(text);
}

Result<json::value> parse_json(std::string_view text) {
  boost::system::error_code ec;
  json::parse_options options;
  options.max_depth = kMaxJsonDepth;
  json::value value = json::parse({text.data(), text.size()}, ec, {}, options);
  if (ec) return fail(ErrorCode::InvalidInput, "not JSON: " + ec.message());
  return value;
}

// Every line an object of its own: what programs call JSONL.
Result<json::value> parse_lines(std::string_view text) {
  json::array rows;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto row = parse_json(line);
    if (!row)
      return fail(ErrorCode::InvalidInput, fmt::format("line {}: {}", number, row.error().message));
    rows.push_back(*std::move(row));
  }
  return json::value(std::move(rows));
}

}  // namespace

json::value json_of_yaml(const YamlNode& node) {
  if (node.IsScalar()) return scalar_value(node);
  if (node.IsSequence()) {
    json::array out;
    for (const auto& item : node) out.push_back(json_of_yaml(item));
    return out;
  }
  if (node.IsMap()) {
    json::object out;
    for (const auto& entry : node) out[entry.first.Scalar()] = json_of_yaml(entry.second);
    return out;
  }
  return nullptr;
}

Result<json::value> parse_json_or_yaml(std::string_view text) {
  if (find_invalid_utf8(text)) return fail(ErrorCode::InvalidInput, "not UTF-8");
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return fail(ErrorCode::InvalidInput, "is empty");
  if (text[start] == '{' || text[start] == '[') {
    auto value = parse_json(text);
    if (value) return value;
    if (auto lines = parse_lines(text)) return lines;
    // Flow style YAML begins so too.
    if (auto tree = parse_yaml(text)) return json_of_yaml((*tree)->root);
    return value;
  }
  auto tree = parse_yaml(text);
  if (!tree) return tl::unexpected(tree.error());
  return json_of_yaml((*tree)->root);
}

Result<json::value> read_json_or_yaml(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) return fail(ErrorCode::NotFound, fmt::format("cannot read {}", path));
  if (content.str().size() > kMaxFileBytes)
    return fail(ErrorCode::InvalidInput, fmt::format("{} is over 16 MB", path));
  auto value = parse_json_or_yaml(content.str());
  if (!value) return fail(value.error().code, fmt::format("{}: {}", path, value.error().message));
  return value;
}

}  // namespace signalbox

#include "test/conformance/case_file.h"

#include <fmt/format.h>

#include <fstream>

#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

using Context = std::vector<std::pair<std::string, std::string>>;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

// Splits at spaces, but not inside quotes, brackets or braces.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quoted && i + 1 < text.size()) {
      word += c;
      word += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']')) --depth;
    if (c == ' ' && !quoted && depth == 0) {
      if (!word.empty()) out.push_back(std::move(word));
      word.clear();
      continue;
    }
    word += c;
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

Result<std::pair<std::string, std::string>> key_value(std::string_view text) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || at == 0)
    return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no key=value", text));
  std::string key(text.substr(0, at));
  // route!=X, confidence>=0.8: the operator belongs to the key.
  if (key.back() == '!' || key.back() == '>' || key.back() == '<') key += '=';
  return std::pair{key, std::string(text.substr(at + 1))};
}

json::value value_of(const std::string& text) {
  if (!text.empty() && (text.front() == '{' || text.front() == '[' || text.front() == '"')) {
    boost::system::error_code ec;
    json::value value = json::parse(text, ec);
    if (!ec) return value;
  }
  return json::value(text);
}

// Builds the request the way a caller would: as JSON.
Result<void> finish(Case& one, const std::string& query, const Context& context) {
  json::object object;
  object["query"] = query;
  for (const auto& [key, text] : context) {
    json::value value = value_of(text);
    if (key == "llm") {
      one.has_llm = true;
      if (value.is_string()) one.llm.emplace_back(value.get_string());
      if (value.is_array()) {
        for (const json::value& answer : value.get_array()) {
          one.llm.push_back(answer.is_string() ? std::string(answer.get_string())
                                               : json::serialize(answer));
        }
      }
      if (value.is_object()) one.llm.push_back(json::serialize(value));
    } else if (key == "deadline_ms") {
      object[key] = std::stoll(text);
    } else {
      object[key == "declared" ? "route" : key] = std::move(value);
    }
  }
  auto request = request_from_json(object);
  if (!request) return tl::unexpected(request.error());
  one.request = *std::move(request);
  return {};
}

class TableReader {
 public:
  explicit TableReader(std::string path) : path_(std::move(path)) {}

  Result<std::vector<Case>> read(std::istream& in) {
    for (std::string line; std::getline(in, line);) {
      ++number_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (trimmed(line).empty() || line.front() == '#') continue;
      auto done = line.front() == '@' ? directive(line) : row(line);
      if (!done)
        return fail(ErrorCode::InvalidInput,
                    fmt::format("{}:{}: {}", path_, number_, done.error().message));
    }
    return std::move(cases_);
  }

 private:
  Result<void> directive(const std::string& line) {
    const std::size_t space = line.find(' ');
    const std::string name = line.substr(1, space == std::string::npos ? std::string::npos : space - 1);
    const std::string rest = space == std::string::npos ? "" : trimmed(line.substr(space));
    if (name == "profile") {
      profile_ = rest;
      return {};
    }
    if (name == "environment") {
      environment_.clear();
      for (const std::string& word : words_of(rest)) {
        auto pair = key_value(word);
        if (!pair) return tl::unexpected(pair.error());
        environment_.insert(*pair);
      }
      return {};
    }
    if (name != "with" && name != "expect")
      return fail(ErrorCode::InvalidInput, "unknown directive @" + name);
    if (name == "with")
      context_.clear();
    else
      expected_.clear();
    for (const std::string& word : words_of(rest)) {
      auto pair = key_value(word);
      if (!pair) return tl::unexpected(pair.error());
      if (name == "with")
        context_.push_back(*pair);
      else
        expected_.push_back({pair->first, pair->second});
    }
    return {};
  }

  Result<void> row(const std::string& line) {
    Case one;
    one.place = fmt::format("{}:{}", path_, number_);
    one.profile = profile_;
    one.expected = expected_;
    one.environment = environment_;
    Context context = context_;
    std::size_t tab = line.find('\t');
    std::string query = trimmed(line.substr(0, tab));
    if (query.size() >= 2 && query.front() == '"' && query.back() == '"') {
      boost::system::error_code ec;
      const json::value value = json::parse(query, ec);
      if (!ec && value.is_string()) query = value.get_string();
    }
    while (tab != std::string::npos) {
      const std::size_t next = line.find('\t', tab + 1);
      const std::string cell =
          trimmed(line.substr(tab + 1, next == std::string::npos ? next : next - tab - 1));
      tab = next;
      if (cell.empty()) continue;
      auto pair = key_value(cell);
      if (!pair) return tl::unexpected(pair.error());
      if (pair->first.starts_with("with."))
        context.emplace_back(pair->first.substr(5), pair->second);
      else
        override_expectation(one.expected, {pair->first, pair->second});
    }
    if (one.profile.empty()) return fail(ErrorCode::InvalidInput, "no @profile");
    if (one.expected.empty()) return fail(ErrorCode::InvalidInput, "nothing is expected");
    if (auto done = finish(one, query, context); !done) return done;
    cases_.push_back(std::move(one));
    return {};
  }

  static void override_expectation(std::vector<Expectation>& all, Expectation one) {
    const bool repeats = one.key == "signal" || one.key == "signal!=";
    for (Expectation& known : all) {
      if (!repeats && known.key == one.key) {
        known.value = one.value;
        return;
      }
    }
    all.push_back(std::move(one));
  }

  std::string path_;
  int number_ = 0;
  std::string profile_;
  Context context_;
  std::map<std::string, std::string> environment_;
  std::vector<Expectation> expected_;
  std::vector<Case> cases_;
};

Result<std::vector<Case>> read_single(const std::string& path, std::istream& in) {
  std::vector<Case> cases;
  Case one;
  Context context;
  std::string query;
  bool expects = false;
  bool is_open = false;
  int number = 0;
  const auto close = [&]() -> Result<void> {
    if (!is_open) return {};
    if (auto done = finish(one, query, context); !done) return done;
    cases.push_back(std::move(one));
    one = {}, context.clear(), query.clear(), expects = false, is_open = false;
    return {};
  };
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string text = trimmed(line);
    if (text.empty() || text.front() == '#') continue;
    if (text == "====") {
      if (auto done = close(); !done)
        return fail(ErrorCode::InvalidInput,
                    fmt::format("{}:{}: {}", path, number, done.error().message));
      continue;
    }
    if (text == "----") {
      expects = true;
      continue;
    }
    if (!is_open) one.place = fmt::format("{}:{}", path, number), is_open = true;
    const std::size_t space = text.find(' ');
    const std::string key = text.substr(0, space);
    const std::string value = space == std::string::npos ? "" : trimmed(text.substr(space));
    if (expects)
      one.expected.push_back({key, value});
    else if (key == "profile")
      one.profile = value;
    else if (key == "query")
      query = value;
    else
      context.emplace_back(key, value);
  }
  if (auto done = close(); !done)
    return fail(ErrorCode::InvalidInput, fmt::format("{}: {}", path, done.error().message));
  return cases;
}

}  // namespace

Result<std::vector<Case>> read_cases(const std::string& path) {
  std::ifstream in(path);
  if (!in) return fail(ErrorCode::NotFound, path + ": cannot be read");
  return path.ends_with(".cases") ? TableReader(path).read(in) : read_single(path, in);
}

}  // namespace signalbox

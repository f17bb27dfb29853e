#include "record/redactor.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <boost/json.hpp>

#include "profile/yaml.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;

enum class Check { None, Luhn, Iban, Ip };

bool parts_in_range(std::string_view text) {
  int part = 0;
  for (const char c : text) {
    if (c == '.') {
      part = 0;
      continue;
    }
    part = part * 10 + (c - '0');
    if (part > 255) return false;
  }
  return true;
}

bool passes(Check check, std::string_view text) {
  switch (check) {
    case Check::Luhn:
      return passes_luhn(text);
    case Check::Iban:
      return passes_iban(text);
    case Check::Ip:
      return parts_in_range(text);
    case Check::None:
      return true;
  }
  return true;
}

}  // namespace

struct Redactor::Rule {
  Rule(std::string name, const std::string& pattern, Check with)
      : mark("[" + name + "]"), expression(pattern, RE2::Quiet), check(with) {}
  std::string mark;
  RE2 expression;
  Check check;
};

Redactor::~Redactor() = default;

Result<std::shared_ptr<const Redactor>> Redactor::open(const std::string& path) {
  auto file = read_yaml(path);
  if (!file) return tl::unexpected(file.error());
  std::shared_ptr<Redactor> out(new Redactor);
  for (const YamlNode::Entry& entry : file->root["redaction"]) {
    const auto wrong = [&](std::string_view message) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}:{}:{}: redaction: {}", path, entry.mark().line, entry.mark().column,
                              message));
    };
    const std::string& check = entry["check"].Scalar();
    Check with = Check::None;
    if (check == "luhn")
      with = Check::Luhn;
    else if (check == "iban")
      with = Check::Iban;
    else if (check == "ip")
      with = Check::Ip;
    else if (!check.empty())
      return wrong("check: expected luhn, iban or ip");
    if (entry["name"].Scalar().empty()) return wrong("name is missing");
    auto rule = std::make_unique<Rule>(entry["name"].Scalar(), entry["pattern"].Scalar(), with);
    if (!rule->expression.ok() || entry["pattern"].Scalar().empty())
      return wrong("pattern: " + rule->expression.error());
    out->rules_.push_back(std::move(rule));
  }
  if (out->rules_.empty()) return fail(ErrorCode::InvalidInput, path + ": redaction: holds no pattern");
  return std::shared_ptr<const Redactor>(std::move(out));
}

Redaction Redactor::redact(std::string_view text) const {
  Redaction out{std::string(text), 0};
  for (const auto& rule : rules_) {
    std::string replaced;
    const re2::StringPiece rest(out.text);
    const int groups = std::min(1, rule->expression.NumberOfCapturingGroups());
    re2::StringPiece found[2];
    std::size_t from = 0;
    bool has_changed = false;
    for (std::size_t at = 0;
         at <= out.text.size() &&
         rule->expression.Match(rest, at, rest.size(), RE2::UNANCHORED, found, groups + 1);) {
      const re2::StringPiece& part = found[groups];
      at = static_cast<std::size_t>(found[0].data() - rest.data()) +
           std::max<std::size_t>(1, found[0].size());
      if (part.data() == nullptr || !passes(rule->check, {part.data(), part.size()})) continue;
      const auto begin = static_cast<std::size_t>(part.data() - rest.data());
      replaced.append(out.text, from, begin - from);
      replaced += rule->mark;
      from = begin + part.size();
      has_changed = true;
      ++out.count;
    }
    if (!has_changed) continue;
    replaced.append(out.text, from);
    out.text = std::move(replaced);
  }
  return out;
}

Redaction Redactor::redact_json(std::string_view text) const {
  boost::system::error_code ec;
  json::parse_options options;
  options.max_depth = 64;
  json::value value = json::parse(text, ec, {}, options);
  if (ec) return redact(text);
  int count = 0;
  const auto walk = [&](const auto& self, json::value& at) -> void {
    if (json::string* found = at.if_string()) {
      Redaction done = redact(*found);
      if (done.count > 0) *found = done.text;
      count += done.count;
    } else if (json::array* array = at.if_array()) {
      for (json::value& item : *array) self(self, item);
    } else if (json::object* object = at.if_object()) {
      for (auto& member : *object) self(self, member.value());
    }
  };
  walk(walk, value);
  if (count == 0) return {std::string(text), 0};
  return {json_text(value), count};
}

bool passes_luhn(std::string_view digits) {
  int sum = 0;
  int seen = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i] == ' ' || digits[i] == '-') continue;
    int digit = digits[i] - '0';
    if (seen++ % 2 == 1 && (digit *= 2) > 9) digit -= 9;
    sum += digit;
  }
  return seen >= 12 && sum % 10 == 0;
}

bool passes_iban(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == ' ' || c == '-') continue;
    plain += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  if (plain.size() < 15 || plain.size() > 34) return false;
  int remainder = 0;
  for (const char c : plain.substr(4) + plain.substr(0, 4)) {
    const int value = c >= 'A' ? c - 'A' + 10 : c - '0';
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder == 1;
}

}  // namespace signalbox

#include "call/schema_check.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "base/utf8.h"
#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::array_at;
using json_fields::object_at;
using json_fields::text_at;

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxFaults = 16;

bool has_type(const json::value& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "null") return value.is_null();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "number") return value.is_number();
  if (type != "integer") return true;
  if (value.is_int64() || value.is_uint64()) return true;
  return value.is_double() && std::trunc(value.get_double()) == value.get_double();
}

bool is_integer_text(std::string_view text, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_number_text(std::string_view text, double& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(out);
}

// Equal as JSON Schema means it: 1 is 1.0.
bool is_equal(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number()) return a.to_number<double>() == b.to_number<double>();
  return a == b;
}

class Checker {
 public:
  std::vector<SchemaFault> take() { return std::move(faults_); }

  void check(const json::value& value, const json::object& schema, const std::string& path, int depth) {
    if (depth > kMaxDepth) return add(path, "is nested too deeply to be tested");
    if (value.is_null() && json_fields::true_at(schema, "nullable")) return;
    if (!check_type(value, schema, path)) return;
    check_values(value, schema, path);
    if (value.is_number()) check_number(value.to_number<double>(), schema, path);
    if (const json::string* text = value.if_string()) check_text(*text, schema, path);
    if (const json::array* list = value.if_array()) check_list(*list, schema, path, depth);
    if (const json::object* object = value.if_object()) check_object(*object, schema, path, depth);
    check_choices(value, schema, path, depth);
  }

 private:
  void add(const std::string& path, std::string what, bool is_missing = false) {
    if (faults_.size() < kMaxFaults) faults_.push_back({path, std::move(what), is_missing});
  }

  bool check_type(const json::value& value, const json::object& schema, const std::string& path) {
    const json::value* type = schema.if_contains("type");
    if (!type) return true;
    if (const json::array* several = type->if_array()) {
      for (const json::value& one : *several) {
        if (one.is_string() && has_type(value, one.get_string())) return true;
      }
      add(path, fmt::format("must be of type {}", json::serialize(*several)));
      return false;
    }
    if (!type->is_string() || has_type(value, type->get_string())) return true;
    add(path, fmt::format("must be of type {}", std::string_view(type->get_string())));
    return false;
  }

  void check_values(const json::value& value, const json::object& schema, const std::string& path) {
    if (const json::array* values = array_at(schema, "enum")) {
      const auto is_same = [&](const json::value& one) { return is_equal(one, value); };
      if (std::none_of(values->begin(), values->end(), is_same))
        add(path, fmt::format("must be one of {}", json::serialize(*values)));
    }
    if (const json::value* wanted = schema.if_contains("const"); wanted && !is_equal(*wanted, value))
      add(path, fmt::format("must be {}", json::serialize(*wanted)));
  }

  void check_number(double number, const json::object& schema, const std::string& path) {
    const auto bound = [&](std::string_view key) -> std::optional<double> {
      const json::value* value = schema.if_contains(key);
      if (!value || !value->is_number()) return std::nullopt;
      return value->to_number<double>();
    };
    if (const auto least = bound("minimum"); least && number < *least)
      add(path, fmt::format("must be at least {}", *least));
    if (const auto most = bound("maximum"); most && number > *most)
      add(path, fmt::format("must be at most {}", *most));
    if (const auto above = bound("exclusiveMinimum"); above && number <= *above)
      add(path, fmt::format("must be above {}", *above));
    if (const auto below = bound("exclusiveMaximum"); below && number >= *below)
      add(path, fmt::format("must be below {}", *below));
    if (const auto step = bound("multipleOf"); step && *step > 0) {
      const double times = number / *step;
      if (std::abs(times - std::round(times)) > 1e-9)
        add(path, fmt::format("must be a multiple of {}", *step));
    }
  }

  void check_text(std::string_view text, const json::object& schema, const std::string& path) {
    const std::size_t length = count_code_points(text);
    if (schema.contains("minLength") &&
        length < static_cast<std::size_t>(json_fields::count_at(schema, "minLength")))
      add(path,
          fmt::format("must have at least {} characters", json_fields::count_at(schema, "minLength")));
    if (schema.contains("maxLength") &&
        length > static_cast<std::size_t>(json_fields::count_at(schema, "maxLength")))
      add(path,
          fmt::format("must have at most {} characters", json_fields::count_at(schema, "maxLength")));
    if (const std::string_view pattern = text_at(schema, "pattern"); !pattern.empty()) {
      RE2::Options options;
      options.set_log_errors(false);
      options.set_max_mem(1 << 20);
      const RE2 wanted({pattern.data(), pattern.size()}, options);
      if (wanted.ok() && !RE2::PartialMatch({text.data(), text.size()}, wanted))
        add(path, fmt::format("must match {}", pattern));
    }
    if (const std::string_view format = text_at(schema, "format"); !fits_format(text, format))
      add(path, fmt::format("must be a {}", format));
  }

  void check_list(const json::array& list, const json::object& schema, const std::string& path,
                  int depth) {
    const auto size = list.size();
    if (schema.contains("minItems") &&
        size < static_cast<std::size_t>(json_fields::count_at(schema, "minItems")))
      add(path, fmt::format("must have at least {} items", json_fields::count_at(schema, "minItems")));
    if (schema.contains("maxItems") &&
        size > static_cast<std::size_t>(json_fields::count_at(schema, "maxItems")))
      add(path, fmt::format("must have at most {} items", json_fields::count_at(schema, "maxItems")));
    const json::object* items = object_at(schema, "items");
    if (!items) return;
    for (std::size_t i = 0; i < size && faults_.size() < kMaxFaults; ++i)
      check(list[i], *items, fmt::format("{}[{}]", path, i), depth + 1);
  }

  void check_object(const json::object& object, const json::object& schema, const std::string& path,
                    int depth) {
    const auto inside = [&](std::string_view key) {
      return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
    };
    if (const json::array* required = array_at(schema, "required")) {
      for (const json::value& key : *required) {
        if (key.is_string() && !object.contains(key.get_string()))
          add(inside(key.get_string()), "is missing", true);
      }
    }
    const json::object* properties = object_at(schema, "properties");
    const json::value* others = schema.if_contains("additionalProperties");
    for (const auto& [key, value] : object) {
      if (faults_.size() >= kMaxFaults) return;
      const json::object* own = properties ? object_at(*properties, key) : nullptr;
      if (own)
        check(value, *own, inside(key), depth + 1);
      else if (others && others->is_bool() && !others->get_bool() &&
               !(properties && properties->contains(key)))
        add(inside(key), "is not a known field");
      else if (others && others->is_object())
        check(value, others->get_object(), inside(key), depth + 1);
    }
  }

  bool fits(const json::value& value, const json::value& schema, int depth) const {
    if (!schema.is_object()) return true;
    Checker other;
    other.check(value, schema.get_object(), "", depth + 1);
    return other.faults_.empty();
  }

  void check_choices(const json::value& value, const json::object& schema, const std::string& path,
                     int depth) {
    if (const json::array* all = array_at(schema, "allOf")) {
      for (const json::value& one : *all) {
        if (one.is_object()) check(value, one.get_object(), path, depth + 1);
      }
    }
    for (const std::string_view key : {"anyOf", "oneOf"}) {
      const json::array* choices = array_at(schema, key);
      if (!choices || choices->empty()) continue;
      const auto count = std::count_if(choices->begin(), choices->end(),
                                       [&](const json::value& one) { return fits(value, one, depth); });
      if (count == 0) add(path, fmt::format("fits none of {}", key));
      if (count > 1 && key == "oneOf") add(path, "fits more than one of oneOf");
    }
  }

  std::vector<SchemaFault> faults_;
};

bool matches(std::string_view text, const RE2& pattern) {
  return RE2::FullMatch({text.data(), text.size()}, pattern);
}

bool is_date(std::string_view text) {
  static const RE2 shape(R"((\d{4})-(\d{2})-(\d{2}))");
  int year = 0;
  int month = 0;
  int day = 0;
  if (!RE2::FullMatch({text.data(), text.size()}, shape, &year, &month, &day)) return false;
  return std::chrono::year_month_day(std::chrono::year(year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

}  // namespace

std::vector<SchemaFault> check_value(const json::value& value, const json::object& schema) {
  Checker checker;
  checker.check(value, schema, "", 0);
  return checker.take();
}

bool fits_format(std::string_view text, std::string_view format) {
  static const RE2 time(R"(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)");
  static const RE2 email(R"([^\s@<>"]{1,64}@[^\s@<>"]{1,190}\.[^\s@<>".]{2,24})");
  static const RE2 uri(R"([A-Za-z][A-Za-z0-9+.\-]*:[^\s]+)");
  static const RE2 uuid(R"([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})");
  static const RE2 ipv4(R"(((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4})");
  if (format == "date") return is_date(text);
  if (format == "time") return matches(text, time);
  if (format == "date-time")
    return text.size() > 11 && is_date(text.substr(0, 10)) && (text[10] == 'T' || text[10] == ' ') &&
           matches(text.substr(11), time);
  if (format == "email") return matches(text, email);
  if (format == "uri" || format == "url") return matches(text, uri);
  if (format == "uuid") return matches(text, uuid);
  if (format == "ipv4") return matches(text, ipv4);
  return true;
}

std::string schema_type(const json::object& schema) {
  const json::value* type = schema.if_contains("type");
  if (!type) return "";
  if (type->is_string()) return std::string(type->get_string());
  if (const json::array* several = type->if_array()) {
    for (const json::value& one : *several) {
      if (one.is_string() && one.get_string() != "null") return std::string(one.get_string());
    }
  }
  return "";
}

std::optional<json::value> value_from_text(std::string_view text, const json::object& schema) {
  const std::string type = schema_type(schema);
  std::int64_t integer = 0;
  double number = 0;
  if (type == "integer") {
    if (is_integer_text(text, integer)) return json::value(integer);
    return std::nullopt;
  }
  if (type == "number") {
    if (is_integer_text(text, integer)) return json::value(integer);
    if (is_number_text(text, number)) return json::value(number);
    return std::nullopt;
  }
  if (type == "boolean") {
    if (text == "true" || text == "false") return json::value(text == "true");
    return std::nullopt;
  }
  if (type == "object" || type == "array") {
    boost::system::error_code ec;
    json::value value = json::parse({text.data(), text.size()}, ec);
    if (ec || !has_type(value, type)) return std::nullopt;
    return value;
  }
  return json::value(json::string(text));
}

std::string faults_text(const std::vector<SchemaFault>& faults) {
  std::string out;
  for (const SchemaFault& fault : faults)
    out += fmt::format("{}{} {}", out.empty() ? "" : "; ",
                       fault.path.empty() ? "the value" : fault.path, fault.what);
  return out;
}

}  // namespace signalbox

#include "test/e2e/json_schema.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace signalbox {
namespace {

namespace json = boost::json;

const std::set<std::string_view> kKnown{
    "$schema", "$defs",   "$ref",  "$id",        "title",    "description",          "type",  "enum",
    "minimum", "maximum", "items", "properties", "required", "additionalProperties", "oneOf", "anyOf"};

bool has_type(const json::value& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  if (type == "number") return value.is_number();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

// One type's name, or a list of them.
bool has_type(const json::value& value, const json::value& type) {
  if (!type.is_array()) return has_type(value, std::string_view(type.get_string()));
  return std::any_of(type.get_array().begin(), type.get_array().end(),
                     [&](const json::value& one) { return has_type(value, one); });
}

class Validation {
 public:
  explicit Validation(const json::value& root) : root_(root) {}

  void check(const json::object& schema, const json::value& value, const std::string& place) {
    for (const auto& entry : schema) {
      if (!kKnown.contains(entry.key()))
        complain(place, "the schema uses the unknown keyword " + std::string(entry.key()));
    }
    if (const json::value* ref = schema.if_contains("$ref")) {
      check(root_.at_pointer(std::string_view(ref->get_string()).substr(1)).get_object(), value, place);
    }
    check_choice(schema, value, place);
    if (const json::value* type = schema.if_contains("type"); type && !has_type(value, *type))
      return complain(place, "is no " + json::serialize(*type) + ": " + json::serialize(value));
    if (const json::value* least = schema.if_contains("minimum"); least && value.is_number()) {
      if (value.to_number<double>() < least->to_number<double>()) complain(place, "is too small");
    }
    if (const json::value* most = schema.if_contains("maximum"); most && value.is_number()) {
      if (value.to_number<double>() > most->to_number<double>()) complain(place, "is too large");
    }
    if (value.is_array()) check_items(schema, value.get_array(), place);
    if (value.is_object()) check_members(schema, value.get_object(), place);
  }

  std::vector<std::string> mistakes;

 private:
  void complain(const std::string& place, const std::string& text) {
    mistakes.push_back(place + ": " + text);
  }

  void check_choice(const json::object& schema, const json::value& value, const std::string& place) {
    if (const json::value* values = schema.if_contains("enum")) {
      const json::array& all = values->get_array();
      if (std::find(all.begin(), all.end(), value) == all.end())
        complain(place, "is none of " + json::serialize(all));
    }
    for (const char* keyword : {"oneOf", "anyOf"}) {
      const json::value* options = schema.if_contains(keyword);
      if (!options) continue;
      std::size_t fitting = 0;
      for (const json::value& option : options->get_array()) {
        Validation attempt(root_);
        attempt.check(option.get_object(), value, place);
        if (attempt.mistakes.empty()) ++fitting;
      }
      const bool is_good = std::string_view(keyword) == "oneOf" ? fitting == 1 : fitting > 0;
      if (!is_good)
        complain(place, std::to_string(fitting) + " options of " + keyword +
                            " fit: " + json::serialize(value).substr(0, 80));
    }
  }

  void check_items(const json::object& schema, const json::array& items, const std::string& place) {
    const json::value* item_schema = schema.if_contains("items");
    if (!item_schema) return;
    for (std::size_t i = 0; i < items.size(); ++i)
      check(item_schema->get_object(), items[i], place + "/" + std::to_string(i));
  }

  void check_members(const json::object& schema, const json::object& members,
                     const std::string& place) {
    if (const json::value* required = schema.if_contains("required")) {
      for (const json::value& name : required->get_array()) {
        if (!members.contains(name.get_string()))
          complain(place, "lacks " + std::string(name.get_string()));
      }
    }
    const json::value* properties = schema.if_contains("properties");
    const json::value* others = schema.if_contains("additionalProperties");
    for (const auto& entry : members) {
      const std::string below = place + "/" + std::string(entry.key());
      const json::value* known =
          properties ? properties->get_object().if_contains(entry.key()) : nullptr;
      if (known)
        check(known->get_object(), entry.value(), below);
      else if (others && others->is_bool() && !others->get_bool())
        complain(below, "is not allowed");
      else if (others && others->is_object())
        check(others->get_object(), entry.value(), below);
    }
  }

  const json::value& root_;
};

json::value scalar_as_json(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return json::value(text);  // quoted
  if (text == "true" || text == "false") return text == "true";
  if (text.empty() || text == "null" || text == "~") return nullptr;
  std::int64_t whole = 0;
  const char* end = text.data() + text.size();
  if (auto [stop, ec] = std::from_chars(text.data(), end, whole); ec == std::errc() && stop == end)
    return whole;
  double number = 0;
  if (auto [stop, ec] = std::from_chars(text.data(), end, number); ec == std::errc() && stop == end)
    return number;
  return json::value(text);
}

json::value node_as_json(const YAML::Node& node) {
  if (node.IsMap()) {
    json::object out;
    for (const auto& entry : node) out[entry.first.Scalar()] = node_as_json(entry.second);
    return out;
  }
  if (node.IsSequence()) {
    json::array out;
    for (const YAML::Node& item : node) out.push_back(node_as_json(item));
    return out;
  }
  return node.IsScalar() ? scalar_as_json(node) : json::value(nullptr);
}

}  // namespace

std::vector<std::string> schema_mistakes(const json::value& schema, const json::value& document) {
  Validation validation(schema);
  validation.check(schema.get_object(), document, "");
  return std::move(validation.mistakes);
}

json::value yaml_as_json(const std::string& path) {
  return node_as_json(YAML::LoadFile(path));
}

}  // namespace signalbox

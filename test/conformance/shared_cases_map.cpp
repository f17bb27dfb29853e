#include "test/conformance/shared_cases_map.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>

#include "profile/yaml.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

json::value from_yaml(const YAML::Node& node) {
  if (node.IsMap()) {
    json::object object;
    for (const auto& entry : node) object[entry.first.Scalar()] = from_yaml(entry.second);
    return object;
  }
  if (node.IsSequence()) {
    json::array array;
    for (const YAML::Node& item : node) array.push_back(from_yaml(item));
    return array;
  }
  if (node.IsNull()) return nullptr;
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return json::value(text);  // quoted: text, whatever it looks like
  boost::system::error_code ec;
  const json::value value = json::parse(text, ec);
  return ec || value.is_structured() ? json::value(text) : value;
}

// A value as a case would write it.
std::string text_of(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_double()) return fmt::format("{}", value.get_double());
  return json::serialize(value);
}

const json::object* object_at(const json::object& in, std::string_view key) {
  const json::value* found = in.if_contains(key);
  return found ? found->if_object() : nullptr;
}

// `{}` is the row's value, `{name}` a member of it; a member that is not there leaves the field out.
json::value filled(const json::value& shape, const json::value& value, const std::string& text) {
  if (const json::object* object = shape.if_object()) {
    json::object out;
    for (const auto& member : *object) {
      json::value part = filled(member.value(), value, text);
      if (!part.is_null()) out[member.key()] = std::move(part);
    }
    return out;
  }
  if (const json::array* array = shape.if_array()) {
    json::array out;
    for (const json::value& item : *array) out.push_back(filled(item, value, text));
    return out;
  }
  if (!shape.is_string()) return shape;
  std::string pattern(shape.get_string());
  if (pattern == "{}") return value;
  const std::size_t at = pattern.find("{}");
  if (at != std::string::npos) return json::value(pattern.replace(at, 2, text));
  if (pattern.size() < 3 || pattern.front() != '{' || pattern.back() != '}') return shape;
  const json::object* members = value.if_object();
  const json::value* member =
      members ? members->if_contains(pattern.substr(1, pattern.size() - 2)) : nullptr;
  return member ? *member : json::value(nullptr);
}

void merge(json::object& into, const json::object& from) {
  for (const auto& member : from) {
    json::value* known = into.if_contains(member.key());
    if (known && known->is_object() && member.value().is_object())
      merge(known->get_object(), member.value().get_object());
    else if (known && known->is_array() && member.value().is_array())
      for (const json::value& item : member.value().get_array()) known->get_array().push_back(item);
    else
      into[member.key()] = member.value();
  }
}

// The row's value with our labels, a list joined.
std::string labelled(const json::object& entry, const json::value& value) {
  const json::object* labels = object_at(entry, "labels");
  const auto one = [&](const json::value& item) {
    const json::value* name = entry.if_contains("item");
    const json::value& held = name && item.is_object() ? item.get_object().at(name->as_string()) : item;
    const std::string text = text_of(held);
    const json::value* label = labels ? labels->if_contains(text) : nullptr;
    return label ? text_of(*label) : text;
  };
  if (!value.is_array()) return one(value);
  const json::value* join = entry.if_contains("join");
  std::string out;
  for (const json::value& item : value.get_array()) {
    if (!out.empty()) out += join ? text_of(*join) : ",";
    out += one(item);
  }
  return out.empty() ? "none" : out;
}

// The shape that holds for this value: that of `values`, where it names the value, else `as`.
const json::object* shape_for(const json::object& entry, const json::value& value) {
  const json::object* values = object_at(entry, "values");
  if (const json::object* special = values ? object_at(*values, text_of(value)) : nullptr)
    return special;
  return object_at(entry, "as");
}

void expect(std::vector<Expectation>& out, const json::object& shape, const json::object& entry,
            const json::value& value) {
  const std::string text = labelled(entry, value);
  for (const auto& member : shape) {
    const std::string key = member.key();
    const json::value part = filled(member.value(), json::value(text), text);
    out.push_back({key, text_of(part)});
  }
}

Error unknown_field(const std::string& profile, const std::string& section, std::string_view key) {
  return {ErrorCode::InvalidInput, fmt::format("{}.{} names no field '{}'", profile, section, key)};
}

Result<void> check_entry(const std::string& where, const json::value& value) {
  static constexpr std::array<std::string_view, 7> kKeys{"as",   "values", "labels", "join",
                                                         "item", "expect", "left"};
  const json::object* entry = value.if_object();
  if (!entry) return fail(ErrorCode::InvalidInput, where + ": not a map");
  for (const auto& member : *entry) {
    if (std::find(kKeys.begin(), kKeys.end(), std::string_view(member.key())) == kKeys.end()) {
      return fail(ErrorCode::InvalidInput,
                  fmt::format("{}: unknown key '{}'", where, std::string_view(member.key())));
    }
  }
  const bool is_used = entry->contains("as") || entry->contains("values") || entry->contains("expect");
  if (is_used == entry->contains("left"))
    return fail(ErrorCode::InvalidInput, where + ": give `as` or `values`, or else `left`");
  return {};
}

Result<void> check_section(const std::string& where, const json::object& section) {
  for (const auto& member : section) {
    const std::string name = where + "." + std::string(member.key());
    if (auto done = check_entry(name, member.value()); !done) return done;
  }
  return {};
}

}  // namespace

Result<SharedMap> SharedMap::parse(const std::string& yaml) {
  SharedMap map;
  try {
    const json::value all = from_yaml(YAML::Load(yaml));
    if (!all.is_object())
      return fail(ErrorCode::InvalidInput, "the table of shared cases is not a map");
    map.profiles_ = all.get_object();
  } catch (const YAML::Exception& error) {
    return fail(ErrorCode::InvalidInput, error.what());
  }
  for (const auto& member : map.profiles_) {
    const std::string name(member.key());
    const json::object* profile = member.value().if_object();
    if (!profile) return fail(ErrorCode::InvalidInput, name + ": not a map");
    for (const char* section : {"context", "expected"}) {
      const json::object* entries = object_at(*profile, section);
      if (!entries) continue;
      if (auto done = check_section(name + "." + section, *entries); !done)
        return tl::unexpected(done.error());
    }
    const json::object* kinds = object_at(*profile, "kinds");
    for (const auto& kind : kinds ? *kinds : json::object{}) {
      if (!kind.value().is_object()) return fail(ErrorCode::InvalidInput, name + ".kinds: not a map");
      if (auto done = check_section(name + ".kinds", kind.value().get_object()); !done)
        return tl::unexpected(done.error());
    }
  }
  return map;
}

Result<SharedMap> SharedMap::read(const std::string& path) {
  auto file = read_yaml(path);
  if (!file) return tl::unexpected(file.error());
  return parse(file->text);
}

Result<SharedCase> SharedMap::apply(const std::string& profile, const json::object& row) const {
  const json::object* table = object_at(profiles_, profile);
  if (!table) return fail(ErrorCode::NotFound, "the table names no profile " + profile);
  SharedCase out;
  out.one.profile = profile;
  out.one.place = text_of(row.at("id"));
  json::object request{{"query", row.at("query")}};

  const json::object* contexts = object_at(*table, "context");
  if (const json::object* context = object_at(row, "context")) {
    for (const auto& member : *context) {
      const json::object* entry = contexts ? object_at(*contexts, member.key()) : nullptr;
      if (!entry) return tl::unexpected(unknown_field(profile, "context", member.key()));
      if (const json::object* also = object_at(*entry, "expect"))
        expect(out.one.expected, *also, *entry, member.value());
      const json::object* shape = shape_for(*entry, member.value());
      if (shape) merge(request, filled(*shape, member.value(), text_of(member.value())).get_object());
    }
  }
  const json::object* expectations = object_at(*table, "expected");
  const json::object* kinds = object_at(*table, "kinds");
  const json::object* kind =
      kinds && row.contains("kind") ? object_at(*kinds, text_of(row.at("kind"))) : nullptr;
  for (const char* section : {"expected", "inferred"}) {
    const json::object* expected = object_at(row, section);
    for (const auto& member : expected ? *expected : json::object{}) {
      const json::object* entry = kind ? object_at(*kind, member.key()) : nullptr;
      if (!entry) entry = expectations ? object_at(*expectations, member.key()) : nullptr;
      if (!entry) return tl::unexpected(unknown_field(profile, "expected", member.key()));
      if (const json::object* shape = shape_for(*entry, member.value()))
        expect(out.one.expected, *shape, *entry, member.value());
    }
  }

  if (const json::object* environment = object_at(request, "environment")) {
    for (const auto& member : *environment) out.environment[member.key()] = text_of(member.value());
    request.erase("environment");
  }
  if (const json::value* answers = request.if_contains("llm")) {
    out.one.has_llm = true;
    for (const json::value& answer : answers->as_array()) out.one.llm.push_back(text_of(answer));
    request.erase("llm");
  }
  auto read = request_from_json(request);
  if (!read) return tl::unexpected(read.error());
  out.one.request = *std::move(read);
  return out;
}

}  // namespace signalbox

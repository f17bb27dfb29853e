#include "call/function_file.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "call/openapi_import.h"
#include "call/yaml_json.h"
#include "llm/json_fields.h"
#include "profile/yaml.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::array_at;
using json_fields::object_at;
using json_fields::text_at;

tl::unexpected<Error> wrong(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

std::vector<std::string> texts_at(const json::object& object, std::string_view key) {
  std::vector<std::string> out;
  const json::value* value = object.if_contains(key);
  if (!value) return out;
  if (const json::string* one = value->if_string()) out.emplace_back(*one);
  if (const json::array* list = value->if_array()) {
    for (const json::value& item : *list) {
      if (item.is_string()) out.emplace_back(item.get_string());
    }
  }
  return out;
}

// The first of the names that is there.
std::string_view first_text(const json::object& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (const std::string_view text = text_at(object, name); !text.empty()) return text;
  }
  return {};
}

// "str" and "int" are what Python programs call them.
std::string json_type(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames = {
      {{"str", "string"},
       {"int", "integer"},
       {"float", "number"},
       {"bool", "boolean"},
       {"list", "array"},
       {"dict", "object"}}};
  for (const auto& [theirs, ours] : kNames) {
    if (type == theirs) return std::string(ours);
  }
  return std::string(type);
}

// Parameters as a schema, or as a bare map of names to {type, description}.
json::object parameters_of(const json::object& object) {
  const json::object* given = object_at(object, "parameters");
  if (!given) given = object_at(object, "inputSchema");
  if (!given) given = object_at(object, "input_schema");
  if (!given) return {};
  json::object schema;
  if (given->contains("properties") || (given->contains("type") && given->at("type").is_string())) {
    schema = *given;
  } else {
    schema = {{"type", "object"}, {"properties", *given}};
    if (const json::array* required = array_at(object, "required")) schema["required"] = *required;
  }
  if (!schema.contains("type")) schema["type"] = "object";
  if (!schema.contains("properties")) schema["properties"] = json::object();
  if (!schema["properties"].is_object()) schema["properties"] = json::object();
  for (auto& [name, value] : schema["properties"].get_object()) {
    if (json::object* parameter = value.if_object()) {
      if (json::value* type = parameter->if_contains("type"); type && type->is_string())
        *type = json::string(json_type(type->get_string()));
    }
  }
  return schema;
}

Result<FunctionHandler> handler_of(const json::object& object, const std::string& name) {
  FunctionHandler out;
  const json::value* given = object.if_contains("handler");
  if (!given) return out;
  if (const json::string* built_in = given->if_string()) {
    out.kind = HandlerKind::BuiltIn;
    out.name = *built_in;
    return out;
  }
  const json::object* http = given->is_object() ? object_at(given->get_object(), "http") : nullptr;
  if (!http)
    return wrong(fmt::format("function '{}': handler must be a built-in's name or {{http: …}}", name));
  out.kind = HandlerKind::Http;
  out.method = text_at(*http, "method").empty() ? "POST" : std::string(text_at(*http, "method"));
  out.url = text_at(*http, "url");
  out.query = texts_at(*http, "query");
  if (out.url.empty()) return wrong(fmt::format("function '{}': handler.http needs a url", name));
  return out;
}

Result<void> patterns_of(const json::object& object, Function& out) {
  RE2::Options options;
  options.set_log_errors(false);
  for (const std::string& text : texts_at(object, "patterns")) {
    auto pattern = std::make_shared<const RE2>(text, options);
    if (!pattern->ok())
      return wrong(
          fmt::format("function '{}': '{}' is no pattern: {}", out.name, text, pattern->error()));
    for (const auto& [group, number] : pattern->NamedCapturingGroups()) {
      if (!out.parameter(group))
        return wrong(fmt::format("function '{}': a pattern fills '{}', which it does not have",
                                 out.name, group));
    }
    out.patterns.push_back(std::move(pattern));
  }
  return {};
}

Result<McpServer> server_of(const json::object& object, std::size_t number) {
  McpServer out;
  const json::object& mcp = *object_at(object, "mcp");
  out.name = text_at(mcp, "name").empty() ? fmt::format("mcp{}", number + 1)
                                          : std::string(text_at(mcp, "name"));
  out.command = texts_at(mcp, "command");
  out.url = text_at(mcp, "url");
  out.intents = texts_at(object, "intents");
  if (const int limit = json_fields::count_at(mcp, "deadline_ms"); limit > 0)
    out.deadline = std::chrono::milliseconds(std::min(limit, 600'000));
  if (out.command.empty() == out.url.empty())
    return wrong(fmt::format("import {}: mcp needs either a command or a url", number + 1));
  if (const json::object* risks = object_at(mcp, "risks")) {
    for (const auto& [tool, name] : *risks) {
      const auto risk = name.is_string() ? risk_from_name(name.get_string()) : std::nullopt;
      if (!risk)
        return wrong(fmt::format("import {}: risks.{} must be read, write or delete", number + 1,
                                 std::string_view(tool)));
      out.risks[std::string(tool)] = *risk;
    }
  }
  return out;
}

Result<void> read_imports(const json::array& imports, const std::string& folder, FunctionFile& out) {
  for (std::size_t i = 0; i < imports.size(); ++i) {
    const json::object* import = imports[i].if_object();
    if (import && object_at(*import, "mcp")) {
      auto server = server_of(*import, i);
      if (!server) return tl::unexpected(server.error());
      out.servers.push_back(*std::move(server));
      continue;
    }
    const std::string_view file = import ? text_at(*import, "openapi") : std::string_view();
    if (file.empty()) return wrong(fmt::format("import {}: needs openapi or mcp", i + 1));
    auto document = read_json_or_yaml((std::filesystem::path(folder) / file).string());
    if (!document) return tl::unexpected(document.error());
    auto functions = functions_of_openapi(*document, std::string(text_at(*import, "url")));
    if (!functions) return tl::unexpected(functions.error());
    for (Function& function : *functions) {
      function.intents = texts_at(*import, "intents");
      if (auto added = out.registry.add(std::move(function)); !added) return added;
    }
  }
  return {};
}

Result<void> read_list(const json::array& list, FunctionFile& out) {
  for (const json::value& item : list) {
    if (!item.is_object()) return wrong("a function must be an object");
    auto function = read_function(item.get_object(), {});
    if (!function) return tl::unexpected(function.error());
    if (auto added = out.registry.add(*std::move(function)); !added) return added;
  }
  return {};
}

Result<void> read_descriptions(const json::object& map, FunctionFile& out) {
  for (const auto& [name, text] : map) {
    if (!text.is_string())
      return wrong(fmt::format("'{}' must be a description", std::string_view(name)));
    Function function;
    function.name = name;
    function.description = text.get_string();
    if (auto added = out.registry.add(std::move(function)); !added) return added;
  }
  return {};
}

}  // namespace

Result<Function> read_function(const json::object& object, const std::vector<std::string>& intents) {
  if (const json::object* inner = object_at(object, "function")) return read_function(*inner, intents);
  Function out;
  out.name = first_text(object, {"name", "api_name"});
  out.description = first_text(object, {"description", "api_description", "summary"});
  out.parameters = parameters_of(object);
  out.intents = texts_at(object, "intents");
  if (out.intents.empty()) out.intents = intents;
  out.examples = texts_at(object, "examples");
  if (const std::string_view risk = text_at(object, "risk"); !risk.empty()) {
    const auto known = risk_from_name(risk);
    if (!known)
      return wrong(fmt::format("function '{}': risk must be read, write or delete", out.name));
    out.risk = *known;
  }
  auto handler = handler_of(object, out.name);
  if (!handler) return tl::unexpected(handler.error());
  out.handler = *std::move(handler);
  if (auto done = patterns_of(object, out); !done) return tl::unexpected(done.error());
  return out;
}

Result<FunctionFile> read_functions(const json::value& root, const std::string& folder) {
  FunctionFile out;
  const auto finish = [&](Result<void> done) -> Result<FunctionFile> {
    if (!done) return tl::unexpected(done.error());
    return std::move(out);
  };
  if (const json::array* list = root.if_array()) return finish(read_list(*list, out));
  const json::object* object = root.if_object();
  if (!object) return wrong("must be a list or a map of functions");
  if (object->contains("openapi") && object->contains("paths")) {
    auto functions = functions_of_openapi(root, "");
    if (!functions) return tl::unexpected(functions.error());
    for (Function& function : *functions) {
      if (auto added = out.registry.add(std::move(function)); !added) return finish(added);
    }
    return out;
  }
  const json::array* list = array_at(*object, "functions");
  if (!list) list = array_at(*object, "tools");
  const json::array* imports = array_at(*object, "import");
  if (!list && !imports) return finish(read_descriptions(*object, out));
  if (const std::string_view database = text_at(*object, "database"); !database.empty()) {
    auto path = expand_environment(std::string(database));
    if (!path) return tl::unexpected(path.error());
    // Servers are only asked: records are changed in files.
    if (path->find("://") == std::string::npos) out.database = *std::move(path);
  }
  if (list) {
    if (auto done = read_list(*list, out); !done) return finish(done);
  }
  return finish(imports ? read_imports(*imports, folder, out) : Result<void>());
}

Result<FunctionFile> load_functions(const std::string& path) {
  auto root = read_json_or_yaml(path);
  if (!root) return tl::unexpected(root.error());
  auto file = read_functions(*root, std::filesystem::path(path).parent_path().string());
  if (!file) return fail(file.error().code, fmt::format("{}: {}", path, file.error().message));
  return file;
}

}  // namespace signalbox

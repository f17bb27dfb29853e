#include "call/openapi_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "llm/json_fields.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::array_at;
using json_fields::object_at;
using json_fields::text_at;

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxNodes = 20'000;  // of one document's schemas, written out
constexpr std::array<std::string_view, 7> kMethods = {"get",   "head",   "post",   "put",
                                                      "patch", "delete", "options"};

class Document {
 public:
  explicit Document(const json::object& root) : root_(root) {}

  // What `#/components/…` points at; null when it points nowhere.
  const json::value* target(std::string_view reference) const {
    if (!reference.starts_with("#/")) return nullptr;
    const json::value* at = nullptr;
    const json::object* object = &root_;
    for (std::size_t from = 2; from <= reference.size();) {
      const std::size_t slash = std::min(reference.find('/', from), reference.size());
      if (!object) return nullptr;
      at = object->if_contains(reference.substr(from, slash - from));
      if (!at) return nullptr;
      object = at->if_object();
      from = slash + 1;
    }
    return at;
  }

  // The value with every reference replaced by what it names.
  json::value resolved(const json::value& value, int depth) {
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes) return json::object();
    if (const json::array* list = value.if_array()) {
      json::array out;
      for (const json::value& item : *list) out.push_back(resolved(item, depth + 1));
      return out;
    }
    const json::object* object = value.if_object();
    if (!object) return value;
    if (const std::string_view reference = text_at(*object, "$ref"); !reference.empty()) {
      const json::value* found = target(reference);
      return found ? resolved(*found, depth + 1) : json::value(json::object());
    }
    json::object out;
    for (const auto& [key, item] : *object) out[key] = resolved(item, depth + 1);
    return out;
  }

 private:
  const json::object& root_;
  std::size_t nodes_ = 0;
};

Risk risk_of(std::string_view method) {
  if (method == "get" || method == "head" || method == "options") return Risk::Read;
  return method == "delete" ? Risk::Delete : Risk::Write;
}

// "get /users/{id}" is get_users_id.
std::string name_from_path(std::string_view method, std::string_view path) {
  std::string out(method);
  bool is_gap = true;
  for (const char c : path) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_word && is_gap) out += '_';
    if (is_word) out += c;
    is_gap = !is_word;
  }
  return out;
}

class OperationReader {
 public:
  OperationReader(Document& document, std::string base) : document_(document), base_(std::move(base)) {}

  Function read(std::string_view method, std::string_view path, const json::object& item,
                const json::object& operation) {
    function_ = Function();
    properties_ = json::object();
    required_ = json::array();
    function_.name = text_at(operation, "operationId");
    if (function_.name.empty()) function_.name = name_from_path(method, path);
    function_.description = description_of(operation);
    function_.risk = risk_of(method);
    function_.handler.kind = HandlerKind::Http;
    function_.handler.method = upper(method);
    function_.handler.url = base_ + std::string(path);
    for (const json::object* source : {&item, &operation}) {
      if (const json::array* list = array_at(*source, "parameters")) {
        for (const json::value& parameter : *list) add_parameter(document_.resolved(parameter, 0));
      }
    }
    if (const json::value* body = operation.if_contains("requestBody"))
      add_body(document_.resolved(*body, 0));
    function_.parameters = {{"type", "object"}, {"properties", std::move(properties_)}};
    if (!required_.empty()) function_.parameters["required"] = std::move(required_);
    return std::move(function_);
  }

 private:
  static std::string upper(std::string_view method) {
    std::string out(method);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    return out;
  }

  static std::string description_of(const json::object& operation) {
    const std::string_view summary = text_at(operation, "summary");
    const std::string_view description = text_at(operation, "description");
    if (summary.empty() || summary == description) return std::string(description);
    return description.empty() ? std::string(summary) : fmt::format("{}. {}", summary, description);
  }

  void require(std::string_view name) {
    const json::value value = json::string(name);
    if (std::find(required_.begin(), required_.end(), value) == required_.end())
      required_.push_back(value);
  }

  void add_parameter(const json::value& value) {
    const json::object* parameter = value.if_object();
    const std::string_view name = parameter ? text_at(*parameter, "name") : std::string_view();
    const std::string_view place = parameter ? text_at(*parameter, "in") : std::string_view();
    if (name.empty() || (place != "path" && place != "query")) return;  // headers and cookies are ours
    const json::object* given = object_at(*parameter, "schema");
    json::object schema = given ? *given : json::object{{"type", "string"}};
    if (const std::string_view text = text_at(*parameter, "description"); !text.empty())
      schema["description"] = text;
    properties_[name] = std::move(schema);
    if (place == "query") function_.handler.query.emplace_back(name);
    if (place == "path" || json_fields::true_at(*parameter, "required")) require(name);
  }

  void add_body(const json::value& value) {
    const json::object* content =
        value.is_object() ? object_at(value.get_object(), "content") : nullptr;
    const json::object* media = content ? object_at(*content, "application/json") : nullptr;
    const json::object* schema = media ? object_at(*media, "schema") : nullptr;
    const json::object* fields = schema ? object_at(*schema, "properties") : nullptr;
    if (!fields) return;
    for (const auto& [name, field] : *fields) {
      if (field.is_object() && !properties_.contains(name)) properties_[name] = field;
    }
    if (const json::array* names = array_at(*schema, "required")) {
      for (const json::value& name : *names) {
        if (name.is_string() && properties_.contains(name.get_string())) require(name.get_string());
      }
    }
  }

  Document& document_;
  std::string base_;
  Function function_;
  json::object properties_;
  json::array required_;
};

std::string first_server(const json::object& root) {
  const json::array* servers = array_at(root, "servers");
  if (!servers || servers->empty() || !servers->front().is_object()) return "";
  std::string url(text_at(servers->front().get_object(), "url"));
  while (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

Result<std::vector<Function>> functions_of_openapi(const json::value& value,
                                                   const std::string& base_url) {
  const json::object* root = value.if_object();
  const json::object* paths = root ? object_at(*root, "paths") : nullptr;
  if (!paths || !text_at(*root, "openapi").starts_with("3"))
    return fail(ErrorCode::InvalidInput, "no OpenAPI 3 document: it has no `openapi: 3…` or no paths");
  Document document(*root);
  OperationReader reader(document, base_url.empty() ? first_server(*root) : base_url);
  std::vector<Function> out;
  for (const auto& [path, item] : *paths) {
    if (!item.is_object()) continue;
    for (const std::string_view method : kMethods) {
      if (const json::object* operation = object_at(item.get_object(), method))
        out.push_back(reader.read(method, path, item.get_object(), *operation));
    }
  }
  return out;
}

}  // namespace signalbox

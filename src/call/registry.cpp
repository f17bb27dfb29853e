#include "call/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "call/schema_check.h"
#include "llm/json_fields.h"

namespace signalbox {

namespace json = boost::json;

const json::object* Function::parameter(std::string_view wanted) const {
  const json::object* properties = json_fields::object_at(parameters, "properties");
  return properties ? json_fields::object_at(*properties, wanted) : nullptr;
}

std::vector<std::string> Function::required() const {
  std::vector<std::string> out;
  if (const json::array* names = json_fields::array_at(parameters, "required")) {
    for (const json::value& item : *names) {
      if (item.is_string()) out.emplace_back(item.get_string());
    }
  }
  return out;
}

const char* risk_name(Risk risk) {
  switch (risk) {
    case Risk::Read:
      return "read";
    case Risk::Write:
      return "write";
    case Risk::Delete:
      return "delete";
  }
  return "delete";
}

std::optional<Risk> risk_from_name(std::string_view name) {
  for (const Risk risk : {Risk::Read, Risk::Write, Risk::Delete}) {
    if (name == risk_name(risk)) return risk;
  }
  return std::nullopt;
}

Result<void> FunctionRegistry::add(Function function) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::InvalidInput, fmt::format("function '{}': {}", function.name, what));
  };
  if (function.name.empty() || function.name.size() > 128)
    return wrong("needs a name of 1 to 128 bytes");
  if (by_name_.contains(function.name)) return wrong("the name is taken");
  if (functions_.size() >= kMaxFunctions)
    return wrong(fmt::format("more than {} functions", kMaxFunctions));
  if (function.parameters.empty())
    function.parameters = {{"type", "object"}, {"properties", json::object()}};
  if (schema_type(function.parameters) != "object") return wrong("parameters must be of type object");
  for (const std::string& name : function.required()) {
    if (!function.parameter(name))
      return wrong(fmt::format("requires '{}', which it does not have", name));
  }
  by_name_.emplace(function.name, functions_.size());
  functions_.push_back(std::move(function));
  return {};
}

const Function* FunctionRegistry::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? nullptr : &functions_[found->second];
}

std::vector<const Function*> FunctionRegistry::allowed(const Profile* profile,
                                                       const std::string& route) const {
  std::vector<const Function*> out;
  for (const Function& function : functions_) {
    const bool is_allowed =
        route.empty() || function.intents.empty() ||
        std::any_of(function.intents.begin(), function.intents.end(), [&](const std::string& intent) {
          return profile ? profile->is_a(route, intent) : route == intent;
        });
    if (is_allowed) out.push_back(&function);
  }
  return out;
}

json::array FunctionRegistry::tools_json(std::span<const Function* const> functions) {
  json::array out;
  for (const Function* function : functions) {
    out.push_back({{"type", "function"},
                   {"function",
                    {{"name", function->name},
                     {"description", function->description},
                     {"parameters", function->parameters}}}});
  }
  return out;
}

}  // namespace signalbox

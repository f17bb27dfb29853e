// Bytes as a file of functions or an OpenAPI document: what is read keeps its promises.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "call/function_file.h"
#include "call/openapi_import.h"
#include "call/schema_check.h"
#include "call/yaml_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace signalbox;
  auto value = parse_json_or_yaml({reinterpret_cast<const char*>(data), size});
  if (!value) return value.error().message.empty() ? std::abort(), 0 : 0;
  // Imports would read other files.
  if (value->is_object()) value->get_object().erase("import");
  auto file = read_functions(*value, "/nonexistent");
  if (file) {
    for (const Function& function : file->registry.all()) {
      if (function.name.empty() || schema_type(function.parameters) != "object") std::abort();
      if (file->registry.find(function.name) != &function) std::abort();
      check_value(boost::json::object(), function.parameters);
    }
  } else if (file.error().message.empty()) {
    std::abort();
  }
  if (auto functions = functions_of_openapi(*value, "")) {
    for (const Function& function : *functions) {
      for (const std::string& name : function.required()) {
        if (!function.parameter(name)) std::abort();
      }
    }
  }
  return 0;
}

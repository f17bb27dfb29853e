// Files that travel inside the program.
#pragma once

#include <string>
#include <string_view>

namespace signalbox {

extern const std::string_view kOpenApiYaml;  // server/openapi.yaml
extern const std::string_view kPage;         // server/page.html

// The same description as JSON.
std::string openapi_as_json();

}  // namespace signalbox

// Files that travel inside the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace signalbox {

extern const std::string_view kOpenApiYaml;  // server/openapi.yaml

// A file of the web page, built from web/ into server/page/.
struct PageFile {
  std::string_view name;
  std::string_view text;
};
extern const std::span<const PageFile> kPageFiles;

// The same description as JSON.
std::string openapi_as_json();

}  // namespace signalbox

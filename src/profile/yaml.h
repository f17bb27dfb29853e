// The one place that includes yaml-cpp's header: nodes with marks, and text with its environment.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "profile/diagnostics.h"
#include "profile/schema.h"
#include "signalbox/result.h"

namespace signalbox {

inline SourceMark mark_of(const YAML::Node& node) {
  return {node.Mark().line + 1, node.Mark().column + 1};
}

// Parses a file of at most 4 MB. NotFound when it cannot be read; InvalidInput with file:line:column.
struct YamlFile {
  YAML::Node root;
  std::string text;
};
Result<YamlFile> read_yaml(const std::string& path);

// Replaces ${NAME} and ${NAME:-default} (defaults nest). InvalidInput names what is not set.
Result<std::string> expand_environment(const std::string& text);

// Checks a node against the schema: unknown and repeated keys, kinds, bounds, missing fields.
void validate(const YAML::Node& node, const SchemaNode& schema, const std::string& key,
              Diagnostics& out);

}  // namespace signalbox

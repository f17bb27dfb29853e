// YAML files: read, checked against a schema, their texts filled in from the environment.
#pragma once

#include <string>

#include "profile/diagnostics.h"
#include "profile/schema.h"
#include "profile/yaml_node.h"
#include "signalbox/result.h"

namespace signalbox {

inline SourceMark mark_of(const YamlNode& node) {
  return node.mark();
}

// Parses a file of at most 4 MB. NotFound when it cannot be read; InvalidInput with file:line:column.
struct YamlFile {
  YamlNode root;
  std::string text;
  std::unique_ptr<YamlTree> tree;  // what root points into
};
Result<YamlFile> read_yaml(const std::string& path);

// Replaces ${NAME} and ${NAME:-default} (defaults nest). InvalidInput names what is not set.
Result<std::string> expand_environment(const std::string& text);

// Checks a node against the schema: unknown and repeated keys, kinds, bounds, missing fields.
void validate(const YamlNode& node, const SchemaNode& schema, const std::string& key, Diagnostics& out);

}  // namespace signalbox

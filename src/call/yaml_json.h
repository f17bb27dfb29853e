// YAML as the JSON it stands for: plain scalars become numbers and flags, quoted ones stay text.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "profile/yaml_node.h"
#include "signalbox/result.h"

namespace signalbox {

boost::json::value json_of_yaml(const YamlNode& node);

// JSON, one JSON value a line (an array of them), or YAML; told apart by looking. InvalidInput says
// where it stops making sense.
Result<boost::json::value> parse_json_or_yaml(std::string_view text);

// The same for a file of at most 16 MB. NotFound when it cannot be read.
Result<boost::json::value> read_json_or_yaml(const std::string& path);

}  // namespace signalbox

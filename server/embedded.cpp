#include "server/embedded.h"

#include <boost/json.hpp>
#include <charconv>

#include "profile/yaml_node.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// The file holds no null and quotes no number or truth value: the tree does not tell what was quoted.
json::value scalar(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return json::value(text);
  if (number == static_cast<double>(static_cast<std::int64_t>(number)))
    return static_cast<std::int64_t>(number);
  return number;
}

json::value as_json(const YamlNode& node) {
  if (node.IsMap()) {
    json::object out;
    for (const YamlNode::Entry& entry : node) out[entry.first.Scalar()] = as_json(entry.second);
    return out;
  }
  if (node.IsSequence()) {
    json::array out;
    for (const YamlNode::Entry& entry : node) out.push_back(as_json(entry));
    return out;
  }
  return node.IsScalar() ? scalar(node.Scalar()) : json::value(nullptr);
}

}  // namespace

std::string openapi_as_json() {
  const auto tree = parse_yaml(kOpenApiYaml);
  return tree ? json::serialize(as_json((*tree)->root)) : "{}";
}

}  // namespace signalbox

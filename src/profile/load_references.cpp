#include "profile/load_references.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/utf8.h"
#include "profile/node_values.h"

namespace signalbox {
namespace {

std::string file_of(const YamlNode& node, const std::string& folder, const std::string& key,
                    Diagnostics& out) {
  if (!node) return {};
  std::ifstream file(std::filesystem::path(folder) / text_of(node), std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file || content.str().empty())
    out.error(mark_of(node), key, fmt::format("file {} is missing or empty", text_of(node)));
  else if (find_invalid_utf8(content.str()))
    out.error(mark_of(node), key, fmt::format("file {} is not UTF-8", text_of(node)));
  return content.str();
}

}  // namespace

References references_of(const YamlNode& node, const std::string& folder, Diagnostics& out) {
  References settings;
  if (!node) return settings;
  settings.mark = mark_of(node);
  settings.enabled = flag_of(node["enabled"], true);
  settings.cues = file_of(node["cues"], folder, "references.cues", out);
  settings.accept = number_of(node["accept"], settings.accept);
  settings.min_relevance = number_of(node["min_relevance"], settings.min_relevance);
  settings.messages = integer_of(node["messages"], settings.messages);
  settings.prompt = file_of(node["prompt"], folder, "references.prompt", out);
  settings.ask_below = number_of(node["ask_below"], settings.ask_below);
  return settings;
}

}  // namespace signalbox

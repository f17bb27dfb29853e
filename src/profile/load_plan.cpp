#include "profile/load_plan.h"

#include <filesystem>

#include "profile/node_values.h"

namespace signalbox {

namespace fs = std::filesystem;

std::string index_of(const YamlNode& root, const std::string& folder) {
  std::string index = text_of(root["index"]);
  if (index.empty() && root["probes"] && root["probes"]["retrieval"])
    index = text_of(root["probes"]["retrieval"]["index"]);
  if (index.empty() || index.starts_with("opensearch:")) return index;
  const fs::path beside = (fs::path(folder) / index).lexically_normal();
  std::error_code ec;
  return !fs::exists(beside, ec) && fs::exists(index, ec) ? index : beside.string();
}

PlanSettings plan_of(const YamlNode& node, const ProfileFiles& files) {
  PlanSettings plan;
  if (!node) return plan;
  plan.tools = flag_of(node["tools"], false);
  if (node["decompose"]) {
    for (const auto& entry : node["decompose"]) {
      std::string list = text_of(entry.second);
      if (list.starts_with("words.")) list = list.substr(6);
      plan.decompose[entry.first.Scalar()] = list;
    }
  }
  if (node["prompt"]) plan.prompt = files.text(node["prompt"], "plan.prompt");
  plan.ask_from_words = integer_of(node["ask_from_words"], plan.ask_from_words);
  return plan;
}

}  // namespace signalbox

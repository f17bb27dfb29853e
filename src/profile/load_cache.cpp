#include "profile/load_cache.h"

#include <filesystem>

#include "profile/node_values.h"

namespace signalbox {

CacheSettings cache_settings_of(const YamlNode& node, const std::string& folder) {
  CacheSettings out;
  if (!node) return out;
  out.enabled = flag_of(node["enabled"], out.enabled);
  out.ttl_s = integer_of(node["ttl_s"], out.ttl_s);
  out.size = integer_of(node["size"], out.size);
  out.semantic = number_of(node["semantic"], out.semantic);
  out.redis = text_of(node["redis"]);
  const std::string words = text_of(node["words"]);
  if (!words.empty()) out.words = (std::filesystem::path(folder) / words).lexically_normal().string();
  return out;
}

}  // namespace signalbox

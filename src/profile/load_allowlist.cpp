#include "profile/load_allowlist.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "profile/node_values.h"

namespace signalbox {

std::optional<AllowlistFile> read_allowlist(const YamlNode& node, const std::string& folder,
                                            Diagnostics& out) {
  const std::string name = text_of(node);
  if (name.empty()) return std::nullopt;
  const std::string path = (std::filesystem::path(folder) / name).lexically_normal().string();
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    out.error(mark_of(node), "allowlist", "cannot read '" + path + "'");
    return std::nullopt;
  }
  std::ostringstream text;
  text << file.rdbuf();
  auto list = parse_allowlist(text.str());
  if (list) return *std::move(list);
  out.error(mark_of(node), "allowlist", path + ": " + list.error().message);
  return std::nullopt;
}

void load_allowlist(const YamlNode& node, const std::string& folder, Profile& profile,
                    Diagnostics& out) {
  auto list = read_allowlist(node, folder, out);
  if (!list) return;
  profile.allowlist = std::move(list->tables);
  profile.allowlist_version = std::move(list->version);
}

}  // namespace signalbox

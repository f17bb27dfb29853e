#include "profile/load_allowlist.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "probe/allowlist_file.h"
#include "profile/node_values.h"

namespace signalbox {

void load_allowlist(const YamlNode& node, const std::string& folder, Profile& profile,
                    Diagnostics& out) {
  const std::string name = text_of(node);
  if (name.empty()) return;
  const std::string path = (std::filesystem::path(folder) / name).lexically_normal().string();
  std::ifstream file(path, std::ios::binary);
  if (!file) return out.error(mark_of(node), "allowlist", "cannot read '" + path + "'");
  std::ostringstream text;
  text << file.rdbuf();
  auto list = parse_allowlist(text.str());
  if (!list) return out.error(mark_of(node), "allowlist", path + ": " + list.error().message);
  profile.allowlist = std::move(list->tables);
  profile.allowlist_version = std::move(list->version);
}

}  // namespace signalbox

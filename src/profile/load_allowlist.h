// The profile's `allowlist`: the tables and columns that requests without one of their own may name.
#pragma once

#include <optional>
#include <string>

#include "probe/allowlist_file.h"
#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

// Empty when the node names no file, or names one that cannot be used: that is then told in `out`.
std::optional<AllowlistFile> read_allowlist(const YamlNode& node, const std::string& folder,
                                            Diagnostics& out);

// `folder` is the profile's: relative paths start there. A file that is missing or malformed stops the
// start with its name.
void load_allowlist(const YamlNode& node, const std::string& folder, Profile& profile,
                    Diagnostics& out);

}  // namespace signalbox

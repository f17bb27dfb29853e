// The `databases` of a profile: addresses, what may be read of each, and the limits of an answer.
#pragma once

#include <string>

#include "profile/diagnostics.h"
#include "profile/yaml.h"

namespace signalbox {

// Relative files start at `folder`. A missing or damaged allowlist is an error of the profile; a
// database that is not there is not: it may come later.
void load_databases(const YamlNode& node, const std::string& folder, Profile& profile,
                    Diagnostics& out);

}  // namespace signalbox

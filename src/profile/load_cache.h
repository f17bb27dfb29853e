// The profile's `cache`: how decisions are remembered.
#pragma once

#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

// `folder` is the profile's: relative paths start there.
CacheSettings cache_settings_of(const YamlNode& node, const std::string& folder);

}  // namespace signalbox

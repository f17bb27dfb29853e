// The `references` block of a profile.
#pragma once

#include <string>

#include "profile/diagnostics.h"
#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

// The files it names are read here; relative paths start at `folder`. A missing one is a mistake.
References references_of(const YamlNode& node, const std::string& folder, Diagnostics& out);

}  // namespace signalbox

// The profile's `probes`: what is looked at before any model is asked.
#pragma once

#include <string>

#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

// `folder` is the profile's: a relative path of an index starts there.
void load_probes(const YamlNode& node, Profile& profile);

}  // namespace signalbox

// The profile's `probes`: what is looked at before any model is asked.
#pragma once

#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

void load_probes(const YamlNode& node, Profile& profile);

}  // namespace signalbox

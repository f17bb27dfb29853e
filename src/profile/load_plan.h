// What a profile says of searching: its `index`, and its `plan` block.
#pragma once

#include <string>

#include "profile/profile_files.h"
#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

// `index`, or the older `probes.retrieval.index`. A relative folder starts at the profile's; where
// nothing is there, at the working directory: an environment's value is written from where one stands.
std::string index_of(const YamlNode& root, const std::string& folder);

PlanSettings plan_of(const YamlNode& node, const ProfileFiles& files);

}  // namespace signalbox

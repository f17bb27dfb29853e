// The apps of a profile: those it names itself, and one for each manifest in its folder of manifests.
#pragma once

#include <cstdint>
#include <string>

#include "profile/diagnostics.h"
#include "profile/yaml.h"

namespace signalbox {

// Reads `apps` and, of the files in `manifests`, what routing needs: name, description, triggers,
// lifetime and who a mention goes to. The rest of a manifest is read by whoever runs the app. A name
// that stands twice is a mistake.
void load_apps(const YamlNode& root, const std::string& folder, Profile& profile, Diagnostics& out);

// Adds what of an app can change a decision.
std::uint64_t app_hash(const App& app, std::uint64_t seed);

}  // namespace signalbox

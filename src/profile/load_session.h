// The profile's `session`: how a conversation is remembered and continued.
#pragma once

#include "profile/yaml.h"
#include "signalbox/profile.h"

namespace signalbox {

SessionSettings session_settings_of(const YamlNode& node);

}  // namespace signalbox

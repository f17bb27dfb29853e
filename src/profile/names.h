// Checks that every name a profile uses is one it defines: routes, slots, lists, patterns, apps.
#pragma once

#include "profile/diagnostics.h"
#include "signalbox/profile.h"

namespace signalbox {

// The thirteen steps, in order.
const std::vector<std::string>& step_names();

void check_names(const Profile& profile, Diagnostics& out);

}  // namespace signalbox

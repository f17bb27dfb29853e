// What `signalbox check` finds beyond the loader: rules that cannot fire, examples that contradict
// them, routes that break the profile's own contract.
#pragma once

#include <memory>
#include <vector>

#include "signalbox/profile.h"

namespace signalbox {

std::vector<Diagnostic> check_profile(std::shared_ptr<const Profile> profile);

}  // namespace signalbox

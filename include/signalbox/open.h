// The shortest way to a router: a profile by name or path, with all it needs to work.
#pragma once

#include <memory>
#include <string>

#include "signalbox/router.h"

namespace signalbox {

// "agents" is the shipped profile of that name; anything with a '/' or '.' is a path. Its gatekeeper is
// loaded, or trained from the profile's examples once and kept. NotFound lists what there is.
Result<std::unique_ptr<Router>> open_profile(const std::string& name);

}  // namespace signalbox

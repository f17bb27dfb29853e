// The gatekeeper of a profile: a trained file it names, or one trained from its own examples and kept.
#pragma once

#include <memory>
#include <string>

#include "gate/tiered_gate.h"
#include "signalbox/profile.h"

namespace signalbox {

// Null when the profile has no gatekeeper: switched off, or too few examples to learn from. A trained
// model is looked for beside the program and in the user's cache ($XDG_CACHE_HOME/signalbox/gates)
// under a name made of all that goes into it; on a miss it is trained (about a second) and kept there.
// Without the encoder's file n-grams alone are learned.
Result<std::shared_ptr<const TieredGate>> open_gate(const Profile& profile);

// Folder for trained gates beside the program; `signalbox profiles --prepare` fills it at build time.
std::string prepared_gates_folder();

// Trains the profile's gate if it is not in `folder` yet. Returns whether it was trained.
Result<bool> prepare_gate(const Profile& profile, const std::string& folder);

}  // namespace signalbox

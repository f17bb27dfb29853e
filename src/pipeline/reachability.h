// Proves that a rule can still fire: whether its condition can hold while earlier ones do not.
#pragma once

#include <span>

#include "signalbox/profile.h"

namespace signalbox {

enum class Reach { Possible, Impossible, Unknown };

// Atoms are taken as independent but for what their meaning forbids: `only.X` implies `words.X`, two
// unrelated routes exclude each other, numbers have an order. Unknown when the search grows too large.
Reach can_hold(const Profile& profile, const Condition& wanted,
               std::span<const Condition* const> without);

}  // namespace signalbox

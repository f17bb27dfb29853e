// Proves that a rule can still fire: whether its condition can hold while earlier ones do not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "signalbox/profile.h"

namespace signalbox {

enum class Reach { Possible, Impossible, Unknown };

// Atoms are taken as independent but for what their meaning forbids: `only.X` implies `words.X`, two
// unrelated routes exclude each other, numbers have an order. Unknown when the search grows too large.
Reach can_hold(const Profile& profile, const Condition& wanted,
               std::span<const Condition* const> without);

// Facts under which `wanted` holds, each an atom or "not" an atom; nothing when there are none, or the
// search grew too large to say.
std::optional<std::vector<std::string>> example_of(const Profile& profile, const Condition& wanted);

}  // namespace signalbox

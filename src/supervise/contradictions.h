// Proves that no rule undoes what another corrected on the same facts.
//
// Overrides and supervisor correct a route once each, the first rule that holds. They contradict each
// other when, after an override or a supervisor rule has changed the route, a rule of the supervisor
// holds that would change it back: one of the two is wrong about these facts.
#pragma once

#include <string>
#include <vector>

#include "signalbox/profile.h"

namespace signalbox {

struct Contradiction {
  const Rule* first = nullptr;     // changes the route
  const Rule* second = nullptr;    // would change it back
  std::vector<std::string> facts;  // under which both hold
};

// All pairs, tried over the space of their conditions.
std::vector<Contradiction> find_contradictions(const Profile& profile);

}  // namespace signalbox

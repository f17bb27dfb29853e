// A condition of a profile, compiled: names are numbers, and asking it allocates nothing.
#pragma once

#include <vector>

#include "fastpath/profile_matcher.h"
#include "profile/atom.h"
#include "signalbox/decision.h"
#include "signalbox/request.h"

namespace signalbox {

// What a condition may look at. `decision` is what is known so far.
struct Facts {
  const Profile& profile;
  const ProfileMatcher& matcher;
  const Request& request;
  const Text& text;
  const Findings& findings;
  const Decision& decision;
};

class CompiledCondition {
 public:
  CompiledCondition() = default;  // always holds
  CompiledCondition(const Condition& condition, const Profile& profile, const ProfileMatcher& matcher);

  bool holds(const Facts& facts) const;

 private:
  bool atom_holds(const Facts& facts) const;

  Condition::Kind kind_ = Condition::Kind::Always;
  Atom atom_;
  std::size_t index_ = kNoList;  // of the list, pattern or app
  std::vector<CompiledCondition> parts_;
};

}  // namespace signalbox

// Which model server stands behind a slot of a profile, as an address for OpenAI's chat interface.
#pragma once

#include <string>

#include "signalbox/profile.h"
#include "signalbox/result.h"

namespace signalbox {

struct Upstream {
  std::string url;       // …/v1/chat/completions
  std::string model;     // empty: the caller's own
  std::string key;       // goes into the authorization header and nowhere else
  bool is_here = false;  // a model file in this program: there is no address
};

// NotFound: no model is configured for the slot; says what to set.
Result<Upstream> upstream_for(const Profile& profile, const std::string& slot);

}  // namespace signalbox

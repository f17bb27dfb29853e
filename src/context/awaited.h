// Reads a message as the answer to the question the conversation waits for.
#pragma once

#include <optional>
#include <string>

#include "fastpath/profile_matcher.h"
#include "signalbox/request.h"

namespace signalbox {

struct AwaitedAnswer {
  enum class Kind { Yes, No, Option, Value, All };
  Kind kind = Kind::Value;
  std::string option;  // the one chosen; for Yes and All the first
};

// Empty when the message is no answer: it starts a search of its own. The profile's word lists say what
// counts: `yes`; `no` and `cancel`; `all_parts` for "one after the other"; `ordinal_1` to `ordinal_5`
// and `ordinal_last` for "the second one"; a route among the options may also be called by its label.
std::optional<AwaitedAnswer> read_awaited(const Awaiting& awaiting, const Text& text,
                                          const Profile& profile, const ProfileMatcher& matcher,
                                          const Findings& findings);

}  // namespace signalbox

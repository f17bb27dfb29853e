#include "profile/load_session.h"

#include "profile/node_values.h"

namespace signalbox {

SessionSettings session_settings_of(const YamlNode& node) {
  SessionSettings out;
  if (!node) return out;
  out.always_history = text_of(node["history"], "refers") == "always";
  out.cancel_on_other = text_of(node["other_message"], "keep") == "cancel";
  out.awaiting_turns = integer_of(node["awaiting_turns"], out.awaiting_turns);
  if (node["app_ends"]) out.app_ends = condition_of(node["app_ends"]);
  return out;
}

}  // namespace signalbox

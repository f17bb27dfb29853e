#include "signalbox/decision.h"

#include <algorithm>

namespace signalbox {

bool Decision::has_signal(const std::string& name) const {
  return std::find(signals.begin(), signals.end(), name) != signals.end();
}

void Decision::add_signal(const std::string& name) {
  if (!has_signal(name)) signals.push_back(name);
}

const char* tier_name(Tier tier) {
  switch (tier) {
    case Tier::Clear:
      return "clear";
    case Tier::Confirm:
      return "confirm";
    case Tier::Clarify:
      return "clarify";
    case Tier::MultiIntent:
      return "multi_intent";
  }
  return "clarify";
}

const char* decided_by_name(DecidedBy decided_by) {
  switch (decided_by) {
    case DecidedBy::Declared:
      return "declared";
    case DecidedBy::Awaiting:
      return "awaiting";
    case DecidedBy::FastPath:
      return "fast_path";
    case DecidedBy::Cache:
      return "cache";
    case DecidedBy::Gatekeeper:
      return "gatekeeper";
    case DecidedBy::Llm:
      return "llm";
    case DecidedBy::Ensemble:
      return "ensemble";
    case DecidedBy::Heuristic:
      return "heuristic";
    case DecidedBy::Fallback:
      return "fallback";
  }
  return "fallback";
}

const char* presence_name(Presence presence) {
  switch (presence) {
    case Presence::Present:
      return "present";
    case Presence::Absent:
      return "absent";
    case Presence::Unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace signalbox

// The part of a decision that the next message of the same meaning may have.
//
// Not in it: the trace, the plan, the question back, times, and whatever follows from the route; those
// belong to the message that is being decided.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/decision.h"
#include "signalbox/result.h"

namespace signalbox {

struct CachedDecision {
  std::string query;  // the message it was made for
  std::string language;
  std::string route;
  double confidence = 0;
  DecidedBy decided_by = DecidedBy::Fallback;  // who decided first
  std::string rule;
  std::string reason;
  std::vector<Alternative> alternatives;
  std::vector<std::string> signals;
  std::map<std::string, Presence> evidence;
  std::vector<std::string> tables;
  std::vector<std::string> columns;
  Correction supervisor;
};

// A decision must not be kept that asks back, has several intents, broke the contract, came from a rule
// or the caller, or was made while a model or a probe failed.
bool is_cacheable(const Decision& decision);

void restore(const CachedDecision& cached, Decision& decision);

// One run of bytes, of this process alone: kept and thrown away without touching thirty small pieces.
std::vector<std::byte> pack(const CachedDecision& cached);
std::vector<std::byte> pack(const Decision& decision);  // where is_cacheable
CachedDecision unpack(std::span<const std::byte> packed);

// One line of JSON; parse fails with Corrupt on anything that to_text() did not write.
std::string cached_to_text(const CachedDecision& cached, std::uint64_t profile_hash);
// InvalidInput when it was written under another profile.
Result<CachedDecision> cached_from_text(std::string_view text, std::uint64_t profile_hash);

}  // namespace signalbox

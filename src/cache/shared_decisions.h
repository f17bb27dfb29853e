// Cached decisions that several processes share: the store behind the cache in memory.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "signalbox/result.h"

namespace signalbox {

// Calls are short: an implementation that has lost its peer fails at once for a while instead of
// waiting. Thread-safe.
class SharedDecisions {
 public:
  virtual ~SharedDecisions() = default;
  // Nothing when there is no such key; Upstream or Timeout when the store cannot be asked.
  virtual Result<std::optional<std::string>> get(const std::string& key) = 0;
  virtual Result<void> put(const std::string& key, const std::string& value,
                           std::chrono::seconds lifetime) = 0;
};

}  // namespace signalbox

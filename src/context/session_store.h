// Where sessions live between turns.
//
// Writers never overwrite what they have not seen: save() compares versions. Every call keeps to its
// budget as well as the medium allows. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "context/session.h"
#include "signalbox/result.h"

namespace signalbox {

enum class SaveOutcome { Saved, Conflict };

struct SessionSummary {
  std::string id;
  WallTime touched{};
};

class SessionStore {
 public:
  virtual ~SessionStore() = default;

  // Empty when there is none or its lifetime has passed. Corrupt: what is stored does not parse; a
  // save of version 0 then replaces it. Timeout or Upstream: the store cannot be reached.
  virtual Result<std::optional<Session>> load(const std::string& id, Duration budget) = 0;

  // Stores next_version(session) when the stored version is still session.version (0: nothing is
  // stored, or what is stored has expired or is corrupt); Conflict when it is not. Once it returns
  // Saved, the copy survives what the store promises to survive.
  virtual Result<SaveOutcome> save(const std::string& id, const Session& session, Duration budget) = 0;

  // Whether there was one.
  virtual Result<bool> erase(const std::string& id, Duration budget) = 0;

  // Sessions whose lifetime has not passed; an estimate where counting would cost too much.
  virtual Result<std::uint64_t> count(Duration budget) = 0;
  // The most lately touched first where the store can tell, at most `limit`.
  virtual Result<std::vector<SessionSummary>> list(std::size_t limit, Duration budget) = 0;

  // "memory", "sqlite", "redis" or "redis-cluster": for the trace and the metrics.
  virtual const char* kind() const = 0;
};

}  // namespace signalbox

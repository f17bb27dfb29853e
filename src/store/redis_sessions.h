// Sessions in Redis, shared by several replicas of the router.
//
// One key a session, with a time to live. A change is a script on that key: it compares versions and
// writes in one step, so two replicas never overwrite each other.
#pragma once

#include <memory>

#include "context/session_store.h"
#include "store/redis_commands.h"

namespace signalbox {

struct RedisSessionOptions {
  std::chrono::milliseconds lifetime = kSessionLifetime;
  std::string prefix = "signalbox:session:";
};

class RedisSessionStore : public SessionStore {
 public:
  // `kind`: "redis" or "redis-cluster".
  RedisSessionStore(std::unique_ptr<RedisCommands> commands, const char* kind,
                    RedisSessionOptions options = {});

  Result<std::optional<Session>> load(const std::string& id, Duration budget) override;
  Result<SaveOutcome> save(const std::string& id, const Session& session, Duration budget) override;
  Result<bool> erase(const std::string& id, Duration budget) override;
  // Both walk over all keys: for people, not for requests. `touched` is not told.
  Result<std::uint64_t> count(Duration budget) override;
  Result<std::vector<SessionSummary>> list(std::size_t limit, Duration budget) override;
  const char* kind() const override { return kind_; }

 private:
  std::unique_ptr<RedisCommands> commands_;
  const char* kind_;
  RedisSessionOptions options_;
  SteadyClock clock_;
};

}  // namespace signalbox

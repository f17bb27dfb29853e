// Sessions in this process alone: the default. Bounded in number and bytes; the least lately touched
// leave first. Lost when the process ends.
//
// Sharded by id, so threads of different conversations rarely meet. Costs one copy of the session.
#pragma once

#include <array>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "context/session_store.h"

namespace signalbox {

struct MemorySessionOptions {
  std::size_t max_sessions = 10'000;
  std::size_t max_bytes = std::size_t{256} << 20;
  std::chrono::milliseconds lifetime = kSessionLifetime;
};

class MemorySessionStore : public SessionStore {
 public:
  explicit MemorySessionStore(MemorySessionOptions options = {},
                              std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>());

  Result<std::optional<Session>> load(const std::string& id, Duration budget) override;
  Result<SaveOutcome> save(const std::string& id, const Session& session, Duration budget) override;
  Result<bool> erase(const std::string& id, Duration budget) override;
  Result<std::uint64_t> count(Duration budget) override;
  Result<std::vector<SessionSummary>> list(std::size_t limit, Duration budget) override;
  const char* kind() const override { return "memory"; }

 private:
  struct Entry {
    std::string id;
    std::shared_ptr<const Session> session;
    std::size_t bytes = 0;
  };
  using Order = std::list<Entry>;  // the most lately saved first
  struct Shard {
    std::mutex mutex;
    Order order;                                                   // guarded by mutex
    std::unordered_map<std::string_view, Order::iterator> places;  // guarded by mutex
    std::size_t bytes = 0;                                         // guarded by mutex

    void drop(Order::iterator entry);
  };
  static constexpr std::size_t kShards = 16;

  Shard& shard_of(const std::string& id);
  bool is_expired(const Entry& entry) const;

  MemorySessionOptions options_;
  std::shared_ptr<const Clock> clock_;
  std::array<Shard, kShards> shards_;
};

}  // namespace signalbox

// A Redis cluster: finds the server of each key, follows it when it moves or fails over.
//
// The map of slots is read from any server that answers, again whenever one says MOVED or cannot be
// reached. A call waits for a failover as long as its budget allows; a cluster that stayed away for a
// whole budget is asked again only after a moment, so that it does not cost every call its budget.
// Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>

#include "store/redis_commands.h"

namespace signalbox {

inline constexpr int kRedisSlots = 16384;

class RedisCluster : public RedisCommands {
 public:
  // `seeds`: some of its servers, not all need to be up.
  RedisCluster(std::vector<RedisAddress> seeds, std::shared_ptr<const Clock> clock);

  Result<RedisReply> read(std::string_view key, const RedisCommand& command, Duration budget) override;
  Result<RedisReply> write(std::string_view key, const RedisCommand& command, Duration budget) override;
  Result<std::vector<std::shared_ptr<RedisNode>>> masters(Duration budget) override;

 private:
  struct Shard {
    std::shared_ptr<RedisNode> master;
    bool has_replicas = false;
  };
  using NodePtr = std::shared_ptr<RedisNode>;

  Result<RedisReply> run(std::string_view key, const RedisCommand& command, bool is_write,
                         Duration budget);
  Result<RedisReply> attempt(int slot, const RedisCommand& command, bool is_write, Duration budget,
                             bool& is_moved);
  Result<RedisReply> send(const NodePtr& node, std::vector<RedisCommand> commands, std::size_t answer,
                          Duration budget);
  Shard shard_of(int slot);
  Result<void> refresh(Duration budget);
  void take_slots(const RedisReply& slots, const RedisAddress& told_by);
  NodePtr node_at(const RedisAddress& address);  // mutex_ is held

  const std::vector<RedisAddress> seeds_;
  std::shared_ptr<const Clock> clock_;
  std::mutex mutex_;
  std::map<RedisAddress, NodePtr> nodes_;         // guarded by mutex_
  std::array<std::uint16_t, kRedisSlots> map_{};  // index into shards_ plus 1; guarded by mutex_
  std::vector<Shard> shards_;                     // guarded by mutex_
  TimePoint refreshed_{};                         // guarded by mutex_
  TimePoint down_until_{};                        // guarded by mutex_
  TimePoint no_wait_until_{};                     // replicas did not answer; guarded by mutex_
};

}  // namespace signalbox

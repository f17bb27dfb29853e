// One Redis server.
#pragma once

#include "store/redis_commands.h"

namespace signalbox {

class RedisSingle : public RedisCommands {
 public:
  RedisSingle(RedisAddress address, std::shared_ptr<const Clock> clock)
      : node_(std::make_shared<RedisNode>(std::move(address), std::move(clock))) {}

  Result<RedisReply> read(std::string_view, const RedisCommand& command, Duration budget) override {
    return node_->run(command, budget);
  }
  Result<RedisReply> write(std::string_view, const RedisCommand& command, Duration budget) override {
    return node_->run(command, budget);
  }
  Result<std::vector<std::shared_ptr<RedisNode>>> masters(Duration) override {
    return std::vector{node_};
  }

 private:
  std::shared_ptr<RedisNode> node_;
};

}  // namespace signalbox

// Commands about one key, sent to whichever server holds it: one server, or the right one of a cluster.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/redis_connection.h"

namespace signalbox {

class RedisCommands {
 public:
  virtual ~RedisCommands() = default;

  // Timeout or Upstream when the server cannot be reached within the budget. Commands may be sent
  // twice when a connection breaks.
  virtual Result<RedisReply> read(std::string_view key, const RedisCommand& command,
                                  Duration budget) = 0;
  // As read(); where the server has replicas, one of them has the change before it returns, unless
  // none answers in time.
  virtual Result<RedisReply> write(std::string_view key, const RedisCommand& command,
                                   Duration budget) = 0;
  // Every server that holds keys of its own.
  virtual Result<std::vector<std::shared_ptr<RedisNode>>> masters(Duration budget) = 0;
};

// Slot of a key in a cluster, 0 to 16383: CRC-16 of it, or of what stands in its first braces.
int redis_slot(std::string_view key);

}  // namespace signalbox

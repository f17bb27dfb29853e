// Cached decisions in Redis, shared by every process that uses the same server.
#pragma once

#include <memory>
#include <string>

#include "cache/shared_decisions.h"
#include "store/redis_connection.h"

namespace signalbox {

// A look may take `budget`; a server that is down fails at once until its next trial is due
// (RedisNode).
class RedisDecisions : public SharedDecisions {
 public:
  explicit RedisDecisions(RedisAddress address, Duration budget = std::chrono::milliseconds(20));

  Result<std::optional<std::string>> get(const std::string& key) override;
  Result<void> put(const std::string& key, const std::string& value,
                   std::chrono::seconds lifetime) override;

 private:
  RedisNode node_;
  Duration budget_;
};

// redis://HOST:PORT/DATABASE; port and database may be left out. InvalidInput says what is wrong.
Result<RedisAddress> parse_redis_address(const std::string& url);

}  // namespace signalbox

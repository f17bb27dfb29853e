// One connection to one Redis server, and a pool of them.
//
//   RedisNode node({"127.0.0.1", 6379, 0});
//   auto reply = node.run({"GET", "key"}, budget);
//
// The only place that includes hiredis. A server that is down costs one attempt every few moments, not
// one a call: until the next attempt is due every call fails at once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "signalbox/result.h"

struct redisContext;

namespace signalbox {

struct RedisReply {
  enum class Kind { Nil, Text, Integer, Error, List };
  Kind kind = Kind::Nil;
  std::string text;  // of Text and Error
  std::int64_t integer = 0;
  std::vector<RedisReply> items;

  bool is_error(std::string_view code) const { return kind == Kind::Error && text.starts_with(code); }
};

using RedisCommand = std::vector<std::string>;  // name and arguments, any bytes

struct RedisAddress {
  std::string host = "127.0.0.1";
  int port = 6379;
  int database = 0;

  std::string text() const;  // host:port
  friend bool operator==(const RedisAddress&, const RedisAddress&) = default;
  friend auto operator<=>(const RedisAddress&, const RedisAddress&) = default;
};

// One socket, used by one thread at a time.
class RedisConnection {
 public:
  // Timeout, or Upstream: refused, unknown host, or the database cannot be selected.
  static Result<RedisConnection> open(const RedisAddress& address, Duration budget);

  // Sends all commands at once and returns their replies in order. An error that Redis itself reports
  // is a reply. After Timeout or Upstream the connection is of no more use.
  Result<std::vector<RedisReply>> run(std::span<const RedisCommand> commands, Duration budget);

 private:
  struct Close {
    void operator()(redisContext* context) const;
  };
  explicit RedisConnection(redisContext* context) : context_(context) {}
  std::unique_ptr<redisContext, Close> context_;
};

// Thread-safe: every call borrows a connection of its own.
class RedisNode {
 public:
  explicit RedisNode(RedisAddress address,
                     std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>());

  // A connection that was closed while it lay idle is replaced and the commands are sent again, so a
  // command must bear being run twice.
  Result<std::vector<RedisReply>> run(std::span<const RedisCommand> commands, Duration budget);
  Result<RedisReply> run(const RedisCommand& command, Duration budget);

  const RedisAddress& address() const { return address_; }

 private:
  Result<RedisConnection> connect(Duration budget);
  void keep(RedisConnection connection);
  void count_failure(const Error& error, Duration budget);

  const RedisAddress address_;
  std::shared_ptr<const Clock> clock_;
  std::mutex mutex_;
  std::vector<RedisConnection> idle_;  // guarded by mutex_
  TimePoint next_try_{};               // guarded by mutex_
  int failures_ = 0;                   // in a row; guarded by mutex_
};

}  // namespace signalbox

#include "store/redis_connection.h"

#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>

namespace signalbox {
namespace {

constexpr std::size_t kIdleConnections = 32;
constexpr Duration kFirstWait = std::chrono::milliseconds(50);
constexpr Duration kLongestWait = std::chrono::seconds(2);
// A caller with less time than this proves nothing about the server when it runs out of it.
constexpr Duration kFairBudget = std::chrono::milliseconds(20);
constexpr Duration kLongestConnect = std::chrono::seconds(2);

timeval to_timeval(Duration duration) {
  const auto us = std::max<std::int64_t>(
      1000, std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
  timeval out{};
  out.tv_sec = static_cast<time_t>(us / 1'000'000);
  out.tv_usec = static_cast<suseconds_t>(us % 1'000'000);
  return out;
}

tl::unexpected<Error> failed(const redisContext& context) {
  const bool timed_out =
      context.err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ETIMEDOUT);
  return fail(timed_out ? ErrorCode::Timeout : ErrorCode::Upstream,
              fmt::format("redis: {}", timed_out ? "timed out" : context.errstr));
}

RedisReply from_hiredis(const redisReply& reply) {
  RedisReply out;
  switch (reply.type) {
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
      out.kind = RedisReply::Kind::Text;
      out.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_ERROR:
      out.kind = RedisReply::Kind::Error;
      out.text.assign(reply.str, reply.len);
      break;
    case REDIS_REPLY_INTEGER:
      out.kind = RedisReply::Kind::Integer;
      out.integer = reply.integer;
      break;
    case REDIS_REPLY_ARRAY:
      out.kind = RedisReply::Kind::List;
      for (std::size_t i = 0; i < reply.elements; ++i)
        out.items.push_back(from_hiredis(*reply.element[i]));
      break;
    default:
      break;
  }
  return out;
}

}  // namespace

std::string RedisAddress::text() const {
  return fmt::format("{}:{}", host, port);
}

void RedisConnection::Close::operator()(redisContext* context) const {
  redisFree(context);
}

Result<RedisConnection> RedisConnection::open(const RedisAddress& address, Duration budget) {
  const timeval limit = to_timeval(std::min(budget, kLongestConnect));
  errno = 0;
  redisContext* context = redisConnectWithTimeout(address.host.c_str(), address.port, limit);
  if (!context) return fail(ErrorCode::Upstream, "redis: no memory for a connection");
  RedisConnection out(context);
  if (context->err != 0) {
    auto error = failed(*context);
    error.value().message += " (" + address.text() + ")";
    return error;
  }
  redisEnableKeepAlive(context);
  if (address.database == 0) return out;
  const RedisCommand select{"SELECT", std::to_string(address.database)};
  auto replies = out.run({&select, 1}, budget);
  if (!replies) return tl::unexpected(replies.error());
  if (replies->front().kind == RedisReply::Kind::Error)
    return fail(ErrorCode::Upstream, "redis: " + replies->front().text);
  return out;
}

Result<std::vector<RedisReply>> RedisConnection::run(std::span<const RedisCommand> commands,
                                                     Duration budget) {
  errno = 0;
  redisSetTimeout(context_.get(), to_timeval(std::min<Duration>(budget, std::chrono::hours(1))));
  for (const RedisCommand& command : commands) {
    std::vector<const char*> parts;
    std::vector<std::size_t> sizes;
    for (const std::string& part : command) {
      parts.push_back(part.data());
      sizes.push_back(part.size());
    }
    if (redisAppendCommandArgv(context_.get(), static_cast<int>(parts.size()), parts.data(),
                               sizes.data()) != REDIS_OK)
      return failed(*context_);
  }
  std::vector<RedisReply> out;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    void* raw = nullptr;
    if (redisGetReply(context_.get(), &raw) != REDIS_OK || !raw) return failed(*context_);
    const std::unique_ptr<redisReply, decltype(&freeReplyObject)> reply(static_cast<redisReply*>(raw),
                                                                        freeReplyObject);
    out.push_back(from_hiredis(*reply));
  }
  return out;
}

RedisNode::RedisNode(RedisAddress address, std::shared_ptr<const Clock> clock)
    : address_(std::move(address)), clock_(std::move(clock)) {}

Result<RedisConnection> RedisNode::connect(Duration budget) {
  {
    const std::lock_guard lock(mutex_);
    if (failures_ > 0 && clock_->now() < next_try_)
      return fail(ErrorCode::Upstream, fmt::format("redis: {} is down", address_.text()));
  }
  auto opened = RedisConnection::open(address_, budget);
  if (!opened) count_failure(opened.error(), budget);
  return opened;
}

void RedisNode::count_failure(const Error& error, Duration budget) {
  if (error.code == ErrorCode::Timeout && budget < kFairBudget) return;
  const std::lock_guard lock(mutex_);
  failures_ = std::min(failures_ + 1, 16);
  next_try_ = clock_->now() + std::min<Duration>(kLongestWait, kFirstWait * (1LL << (failures_ - 1)));
  idle_.clear();  // their server is gone, or too slow to be worth waiting for
}

void RedisNode::keep(RedisConnection connection) {
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  if (idle_.size() < kIdleConnections) idle_.push_back(std::move(connection));
}

Result<std::vector<RedisReply>> RedisNode::run(std::span<const RedisCommand> commands,
                                               Duration budget) {
  const TimePoint start = clock_->now();
  std::unique_ptr<RedisConnection> idle;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      idle = std::make_unique<RedisConnection>(std::move(idle_.back()));
      idle_.pop_back();
    }
  }
  if (idle) {
    auto replies = idle->run(commands, budget);
    if (replies) {
      keep(std::move(*idle));
      return replies;
    }
    if (replies.error().code == ErrorCode::Timeout) {
      count_failure(replies.error(), budget);
      return replies;
    }
    const std::lock_guard lock(mutex_);
    idle_.clear();  // the server restarted: the others are as dead
  }
  auto connection = connect(budget - (clock_->now() - start));
  if (!connection) return tl::unexpected(connection.error());
  const Duration left = budget - (clock_->now() - start);
  auto replies = connection->run(commands, left);
  if (!replies) {
    count_failure(replies.error(), left);
    return replies;
  }
  keep(*std::move(connection));
  return replies;
}

Result<RedisReply> RedisNode::run(const RedisCommand& command, Duration budget) {
  auto replies = run({&command, 1}, budget);
  if (!replies) return tl::unexpected(replies.error());
  return std::move(replies->front());
}

}  // namespace signalbox

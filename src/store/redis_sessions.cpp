#include "store/redis_sessions.h"

#include <fmt/format.h>

#include "store/session_codec.h"

namespace signalbox {
namespace {

// The same bytes again are the same change sent twice: a broken connection hides whether the first
// one arrived.
constexpr const char* kSave = R"(
local stored = redis.call('GET', KEYS[1])
if stored == ARGV[3] then return 1 end
local version = '0'
if stored then version = string.match(stored, '^SB1 (%d+) ') or '0' end
if version ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
return 1)";

tl::unexpected<Error> refused(const RedisReply& reply) {
  return fail(ErrorCode::Upstream, "redis: " + (reply.text.empty() ? "an odd answer" : reply.text));
}

}  // namespace

RedisSessionStore::RedisSessionStore(std::unique_ptr<RedisCommands> commands, const char* kind,
                                     RedisSessionOptions options)
    : commands_(std::move(commands)), kind_(kind), options_(std::move(options)) {}

Result<std::optional<Session>> RedisSessionStore::load(const std::string& id, Duration budget) {
  const std::string key = options_.prefix + id;
  auto reply = commands_->read(key, {"GET", key}, budget);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->kind == RedisReply::Kind::Nil) return std::optional<Session>();
  if (reply->kind != RedisReply::Kind::Text) {
    if (reply->is_error("WRONGTYPE")) return fail(ErrorCode::Corrupt, "stored session: another type");
    return refused(*reply);
  }
  auto session = decode_session(reply->text);
  if (!session) return tl::unexpected(session.error());
  return std::optional<Session>(*std::move(session));
}

Result<SaveOutcome> RedisSessionStore::save(const std::string& id, const Session& session,
                                            Duration budget) {
  const std::string key = options_.prefix + id;
  auto reply = commands_->write(
      key,
      {"EVAL", kSave, "1", key, std::to_string(session.version),
       std::to_string(options_.lifetime.count()), encode_session(session, next_version(session))},
      budget);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->kind != RedisReply::Kind::Integer) return refused(*reply);
  return reply->integer == 1 ? SaveOutcome::Saved : SaveOutcome::Conflict;
}

Result<bool> RedisSessionStore::erase(const std::string& id, Duration budget) {
  const std::string key = options_.prefix + id;
  auto reply = commands_->write(key, {"DEL", key}, budget);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->kind != RedisReply::Kind::Integer) return refused(*reply);
  return reply->integer > 0;
}

Result<std::uint64_t> RedisSessionStore::count(Duration budget) {
  auto all = list(std::size_t{1} << 24U, budget);
  if (!all) return tl::unexpected(all.error());
  return all->size();
}

Result<std::vector<SessionSummary>> RedisSessionStore::list(std::size_t limit, Duration budget) {
  const TimePoint end = clock_.now() + budget;
  auto masters = commands_->masters(budget);
  if (!masters) return tl::unexpected(masters.error());
  std::vector<SessionSummary> out;
  for (const auto& master : *masters) {
    std::string cursor = "0";
    do {
      if (clock_.now() >= end) return fail(ErrorCode::Timeout, "redis: too many keys to list in time");
      auto reply = master->run({"SCAN", cursor, "MATCH", options_.prefix + "*", "COUNT", "1000"},
                               end - clock_.now());
      if (!reply) return tl::unexpected(reply.error());
      if (reply->items.size() != 2) return refused(*reply);
      cursor = reply->items[0].text;
      for (const RedisReply& key : reply->items[1].items) {
        if (out.size() < limit) out.push_back({key.text.substr(options_.prefix.size()), {}});
      }
    } while (cursor != "0" && out.size() < limit);
  }
  return out;
}

}  // namespace signalbox

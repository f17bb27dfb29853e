#include "store/redis_decisions.h"

#include <fmt/format.h>

#include <charconv>

namespace signalbox {
namespace {

tl::unexpected<Error> refused(const RedisReply& reply) {
  return fail(ErrorCode::Upstream, "redis: " + reply.text);
}

bool read_number(std::string_view text, int most, int& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  return ec == std::errc() && end == text.data() + text.size() && out >= 0 && out <= most;
}

}  // namespace

RedisDecisions::RedisDecisions(RedisAddress address, Duration budget)
    : node_(std::move(address)), budget_(budget) {}

Result<std::optional<std::string>> RedisDecisions::get(const std::string& key) {
  auto reply = node_.run(RedisCommand{"GET", key}, budget_);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->kind == RedisReply::Kind::Error) return refused(*reply);
  if (reply->kind != RedisReply::Kind::Text) return std::nullopt;
  return std::move(reply->text);
}

Result<void> RedisDecisions::put(const std::string& key, const std::string& value,
                                 std::chrono::seconds lifetime) {
  auto reply =
      node_.run(RedisCommand{"SET", key, value, "EX", std::to_string(lifetime.count())}, budget_);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->kind == RedisReply::Kind::Error) return refused(*reply);
  return {};
}

Result<RedisAddress> parse_redis_address(const std::string& url) {
  constexpr std::string_view kScheme = "redis://";
  const auto wrong = [&] {
    return fail(ErrorCode::InvalidInput,
                fmt::format("'{}' is no redis://HOST:PORT/DATABASE address", url));
  };
  if (!url.starts_with(kScheme)) return wrong();
  std::string_view rest = std::string_view(url).substr(kScheme.size());
  RedisAddress address;
  if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
    const std::string_view database = rest.substr(slash + 1);
    if (!database.empty() && !read_number(database, 1'000'000, address.database)) return wrong();
    rest = rest.substr(0, slash);
  }
  if (const std::size_t colon = rest.rfind(':'); colon != std::string_view::npos) {
    if (!read_number(rest.substr(colon + 1), 65535, address.port)) return wrong();
    rest = rest.substr(0, colon);
  }
  if (rest.empty() || rest.find('@') != std::string_view::npos) return wrong();
  address.host = std::string(rest);
  return address;
}

}  // namespace signalbox

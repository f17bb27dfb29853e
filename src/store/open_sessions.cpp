#include "store/open_sessions.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "store/memory_sessions.h"
#include "store/redis_cluster.h"
#include "store/redis_sessions.h"
#include "store/redis_single.h"
#include "store/sqlite_sessions.h"

namespace signalbox {
namespace {

bool read_number(std::string_view text, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 0;
}

// HOST, HOST:PORT or [IPV6]:PORT
bool read_address(std::string_view text, RedisAddress& out) {
  const std::size_t colon = text.rfind(':');
  const bool is_bracketed = text.starts_with('[');
  const std::size_t close = text.find(']');
  if (is_bracketed && close == std::string_view::npos) return false;
  const bool has_port = colon != std::string_view::npos && (!is_bracketed || colon > close);
  std::string_view host = has_port ? text.substr(0, colon) : text;
  if (is_bracketed) host = host.substr(1, close - 1);
  if (host.empty()) return false;
  out.host = host;
  return !has_port ||
         (read_number(text.substr(colon + 1), out.port) && out.port > 0 && out.port < 65'536);
}

Result<OpenedSessions> open_sqlite(const std::string& path, std::chrono::milliseconds lifetime) {
  auto store = SqliteSessionStore::open(path, {lifetime});
  if (!store) return tl::unexpected(store.error());
  std::string notice = (*store)->notice();
  return OpenedSessions{*std::move(store), std::move(notice)};
}

}  // namespace

Result<OpenedSessions> open_sessions(const std::string& address, std::chrono::milliseconds lifetime) {
  const std::string_view text = address;
  const auto wrong = [&] {
    return fail(ErrorCode::InvalidInput,
                fmt::format("sessions: '{}' is none of memory, sqlite:PATH, redis://HOST:PORT[/DB] and "
                            "redis-cluster://HOST:PORT,HOST:PORT",
                            address));
  };
  if (text == "memory") {
    MemorySessionOptions options;
    options.lifetime = lifetime;
    return OpenedSessions{std::make_shared<MemorySessionStore>(options), ""};
  }
  if (text.starts_with("sqlite:") && text.size() > 7) return open_sqlite(address.substr(7), lifetime);
  const RedisSessionOptions options{lifetime};
  const auto clock = std::make_shared<SteadyClock>();
  if (text.starts_with("redis://")) {
    std::string_view rest = text.substr(8);
    RedisAddress server;
    if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
      if (slash + 1 < rest.size() && !read_number(rest.substr(slash + 1), server.database))
        return wrong();
      rest = rest.substr(0, slash);
    }
    if (!read_address(rest, server)) return wrong();
    return OpenedSessions{std::make_shared<RedisSessionStore>(
                              std::make_unique<RedisSingle>(server, clock), "redis", options),
                          ""};
  }
  if (!text.starts_with("redis-cluster://")) return wrong();
  std::vector<RedisAddress> seeds;
  std::string_view rest = text.substr(16);
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    RedisAddress seed;
    if (!read_address(rest.substr(0, comma), seed)) return wrong();
    seeds.push_back(std::move(seed));
    more = comma != std::string_view::npos;
    if (more) rest = rest.substr(comma + 1);
  }
  return OpenedSessions{
      std::make_shared<RedisSessionStore>(std::make_unique<RedisCluster>(std::move(seeds), clock),
                                          "redis-cluster", options),
      ""};
}

}  // namespace signalbox

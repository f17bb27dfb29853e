#include "store/memory_sessions.h"

#include <algorithm>

#include "base/hash.h"

namespace signalbox {

MemorySessionStore::MemorySessionStore(MemorySessionOptions options, std::shared_ptr<const Clock> clock)
    : options_(options), clock_(std::move(clock)) {}

MemorySessionStore::Shard& MemorySessionStore::shard_of(const std::string& id) {
  // The last bytes of an id hardly reach the high bits of its hash; the multiplication spreads them.
  return shards_[(hash_text(id) * 0x9E3779B97F4A7C15ULL >> 32U) % kShards];
}

bool MemorySessionStore::is_expired(const Entry& entry) const {
  return entry.session->is_expired(clock_->wall(), options_.lifetime);
}

void MemorySessionStore::Shard::drop(Order::iterator entry) {
  bytes -= entry->bytes;
  places.erase(entry->id);
  order.erase(entry);
}

Result<std::optional<Session>> MemorySessionStore::load(const std::string& id, Duration) {
  Shard& shard = shard_of(id);
  std::shared_ptr<const Session> found;
  {
    const std::lock_guard lock(shard.mutex);
    const auto place = shard.places.find(id);
    if (place == shard.places.end()) return std::optional<Session>();
    if (is_expired(*place->second)) {
      shard.drop(place->second);
      return std::optional<Session>();
    }
    found = place->second->session;
  }
  return std::optional<Session>(*found);
}

Result<SaveOutcome> MemorySessionStore::save(const std::string& id, const Session& session, Duration) {
  auto copy = std::make_shared<Session>(session);
  copy->version = next_version(session);
  const std::size_t bytes = copy->bytes() + 2 * id.size() + sizeof(Entry);
  Shard& shard = shard_of(id);
  const std::lock_guard lock(shard.mutex);
  auto place = shard.places.find(id);
  if (place != shard.places.end() && is_expired(*place->second)) {
    shard.drop(place->second);
    place = shard.places.end();
  }
  const std::uint64_t stored = place == shard.places.end() ? 0 : place->second->session->version;
  if (stored != session.version) return SaveOutcome::Conflict;
  if (place != shard.places.end()) shard.drop(place->second);
  shard.order.push_front({id, std::move(copy), bytes});
  shard.places[shard.order.front().id] = shard.order.begin();
  shard.bytes += bytes;
  while (shard.order.size() > 1 && (shard.order.size() * kShards > options_.max_sessions ||
                                    shard.bytes * kShards > options_.max_bytes)) {
    shard.drop(std::prev(shard.order.end()));
  }
  return SaveOutcome::Saved;
}

Result<bool> MemorySessionStore::erase(const std::string& id, Duration) {
  Shard& shard = shard_of(id);
  const std::lock_guard lock(shard.mutex);
  const auto place = shard.places.find(id);
  if (place == shard.places.end()) return false;
  const bool was_there = !is_expired(*place->second);
  shard.drop(place->second);
  return was_there;
}

Result<std::uint64_t> MemorySessionStore::count(Duration) {
  std::uint64_t sum = 0;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += static_cast<std::uint64_t>(
        std::count_if(shard.order.begin(), shard.order.end(),
                      [&](const Entry& entry) { return !is_expired(entry); }));
  }
  return sum;
}

Result<std::vector<SessionSummary>> MemorySessionStore::list(std::size_t limit, Duration) {
  std::vector<SessionSummary> all;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    std::size_t taken = 0;
    for (const Entry& entry : shard.order) {
      if (taken++ == limit) break;
      if (!is_expired(entry)) all.push_back({entry.id, entry.session->touched});
    }
  }
  std::sort(all.begin(), all.end(), [](const SessionSummary& a, const SessionSummary& b) {
    return a.touched != b.touched ? a.touched > b.touched : a.id < b.id;
  });
  if (all.size() > limit) all.resize(limit);
  return all;
}

}  // namespace signalbox

#include "store/redis_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

namespace signalbox {
namespace {

constexpr Duration kRetryPause = std::chrono::milliseconds(20);
constexpr Duration kAttempt = std::chrono::milliseconds(500);  // at most, of one server
constexpr Duration kReplicaWait = std::chrono::milliseconds(200);
constexpr Duration kReplicaPause = std::chrono::seconds(5);
constexpr Duration kFairBudget = std::chrono::milliseconds(50);  // less proves nothing when it runs out
constexpr Duration kDownPause = std::chrono::seconds(1);
constexpr Duration kRefreshEvery = std::chrono::milliseconds(50);
constexpr int kMaxRedirects = 8;

// "MOVED 3999 127.0.0.1:6381" or "ASK …": where to. An empty host is the one that answered.
RedisAddress redirect_of(const std::string& error, const RedisAddress& told_by) {
  RedisAddress out = told_by;
  const std::size_t space = error.rfind(' ');
  const std::size_t colon = error.rfind(':');
  if (space == std::string::npos || colon == std::string::npos || colon < space) return out;
  if (colon > space + 1) out.host = error.substr(space + 1, colon - space - 1);
  std::from_chars(error.data() + colon + 1, error.data() + error.size(), out.port);
  return out;
}

bool is_passing(const RedisReply& reply) {
  return reply.is_error("CLUSTERDOWN") || reply.is_error("TRYAGAIN") || reply.is_error("LOADING") ||
         reply.is_error("READONLY") || reply.is_error("MASTERDOWN");
}

}  // namespace

int redis_slot(std::string_view key) {
  if (const std::size_t open = key.find('{'); open != std::string_view::npos) {
    const std::size_t close = key.find('}', open + 1);
    if (close != std::string_view::npos && close > open + 1)
      key = key.substr(open + 1, close - open - 1);
  }
  unsigned crc = 0;  // CRC-16/XMODEM
  for (const char c : key) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8U;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
    crc &= 0xFFFFU;
  }
  return static_cast<int>(crc % kRedisSlots);
}

RedisCluster::RedisCluster(std::vector<RedisAddress> seeds, std::shared_ptr<const Clock> clock)
    : seeds_(std::move(seeds)), clock_(std::move(clock)) {}

Result<RedisReply> RedisCluster::read(std::string_view key, const RedisCommand& command,
                                      Duration budget) {
  return run(key, command, false, budget);
}

Result<RedisReply> RedisCluster::write(std::string_view key, const RedisCommand& command,
                                       Duration budget) {
  return run(key, command, true, budget);
}

Result<RedisReply> RedisCluster::run(std::string_view key, const RedisCommand& command, bool is_write,
                                     Duration budget) {
  const int slot = redis_slot(key);
  const TimePoint end = clock_->now() + budget;
  {
    const std::lock_guard lock(mutex_);
    if (clock_->now() < down_until_) return fail(ErrorCode::Upstream, "redis: the cluster is down");
  }
  Error last{ErrorCode::Upstream, "redis: the cluster is down"};
  for (;;) {
    bool is_moved = false;
    auto reply = attempt(slot, command, is_write, std::min(kAttempt, end - clock_->now()), is_moved);
    if (reply && !is_passing(*reply)) return reply;
    last = reply ? Error{ErrorCode::Upstream, "redis: " + reply->text} : reply.error();
    if (end - clock_->now() <= kRetryPause) break;
    if (!is_moved) std::this_thread::sleep_for(kRetryPause);
    if (auto done = refresh(std::min(kAttempt, end - clock_->now())); !done) last = done.error();
  }
  if (budget < kFairBudget) return tl::unexpected(last);
  const std::lock_guard lock(mutex_);
  down_until_ = clock_->now() + kDownPause;
  return tl::unexpected(last);
}

Result<RedisReply> RedisCluster::attempt(int slot, const RedisCommand& command, bool is_write,
                                         Duration budget, bool& is_moved) {
  Shard shard = shard_of(slot);
  if (!shard.master) {
    if (auto done = refresh(budget); !done) return tl::unexpected(done.error());
    shard = shard_of(slot);
    if (!shard.master) return fail(ErrorCode::Upstream, "redis: no server holds this slot");
  }
  NodePtr node = shard.master;
  bool asks = false;
  for (int hop = 0; hop < kMaxRedirects; ++hop) {
    std::vector<RedisCommand> commands;
    if (asks) commands.push_back({"ASKING"});
    const std::size_t answer = commands.size();
    commands.push_back(command);
    if (is_write && shard.has_replicas) {
      const auto wait =
          std::chrono::duration_cast<std::chrono::milliseconds>(std::min(kReplicaWait, budget / 2));
      commands.push_back({"WAIT", "1", std::to_string(std::max<std::int64_t>(1, wait.count()))});
    }
    auto reply = send(node, std::move(commands), answer, budget);
    if (!reply || reply->kind != RedisReply::Kind::Error) return reply;
    asks = reply->is_error("ASK ");
    if (!asks && !reply->is_error("MOVED ")) return reply;
    is_moved = is_moved || !asks;
    const std::lock_guard lock(mutex_);
    node = node_at(redirect_of(reply->text, node->address()));
    if (!asks) refreshed_ = {};  // the map is out of date: read it before the next key
  }
  return fail(ErrorCode::Upstream, "redis: redirected without end");
}

// The reply at `answer`; the one after it is WAIT's count of replicas.
Result<RedisReply> RedisCluster::send(const NodePtr& node, std::vector<RedisCommand> commands,
                                      std::size_t answer, Duration budget) {
  auto replies = node->run(commands, budget);
  if (!replies) return tl::unexpected(replies.error());
  const bool waited = replies->size() > answer + 1;
  if (waited && (*replies)[answer + 1].integer == 0 &&
      (*replies)[answer].kind != RedisReply::Kind::Error) {
    const std::lock_guard lock(mutex_);
    no_wait_until_ = clock_->now() + kReplicaPause;
    refreshed_ = {};
  }
  return std::move((*replies)[answer]);
}

RedisCluster::Shard RedisCluster::shard_of(int slot) {
  {
    const std::lock_guard lock(mutex_);
    const std::uint16_t at = map_[static_cast<std::size_t>(slot)];
    if (at > 0 && refreshed_ != TimePoint{}) {
      Shard shard = shards_[at - 1U];
      if (clock_->now() < no_wait_until_) shard.has_replicas = false;
      return shard;
    }
  }
  refresh(kAttempt);
  const std::lock_guard lock(mutex_);
  const std::uint16_t at = map_[static_cast<std::size_t>(slot)];
  return at > 0 ? shards_[at - 1U] : Shard{};
}

Result<void> RedisCluster::refresh(Duration budget) {
  std::vector<NodePtr> asked;
  {
    const std::lock_guard lock(mutex_);
    if (refreshed_ != TimePoint{} && clock_->now() < refreshed_ + kRefreshEvery) return {};
    for (const Shard& shard : shards_) asked.push_back(shard.master);
    for (const RedisAddress& seed : seeds_) asked.push_back(node_at(seed));
    for (const auto& [address, node] : nodes_) asked.push_back(node);
  }
  const TimePoint end = clock_->now() + budget;
  Error last{ErrorCode::Upstream, "redis: no server of the cluster answers"};
  for (const NodePtr& node : asked) {
    if (clock_->now() >= end) break;
    auto reply = node->run({"CLUSTER", "SLOTS"}, end - clock_->now());
    if (!reply) {
      last = reply.error();
      continue;
    }
    if (reply->kind != RedisReply::Kind::List) {
      last = {ErrorCode::Upstream, "redis: " + reply->text};
      continue;
    }
    const std::lock_guard lock(mutex_);
    take_slots(*reply, node->address());
    refreshed_ = clock_->now();
    return {};
  }
  return tl::unexpected(last);
}

void RedisCluster::take_slots(const RedisReply& slots, const RedisAddress& told_by) {
  shards_.clear();
  map_.fill(0);
  for (const RedisReply& range : slots.items) {
    if (range.items.size() < 3 || range.items[2].items.size() < 2) continue;
    RedisAddress master = told_by;
    if (!range.items[2].items[0].text.empty()) master.host = range.items[2].items[0].text;
    master.port = static_cast<int>(range.items[2].items[1].integer);
    shards_.push_back({node_at(master), range.items.size() > 3});
    const std::int64_t first = std::clamp<std::int64_t>(range.items[0].integer, 0, kRedisSlots - 1);
    const std::int64_t past = std::clamp<std::int64_t>(range.items[1].integer + 1, 0, kRedisSlots);
    for (std::int64_t slot = first; slot < past; ++slot)
      map_[static_cast<std::size_t>(slot)] = static_cast<std::uint16_t>(shards_.size());
  }
}

RedisCluster::NodePtr RedisCluster::node_at(const RedisAddress& address) {
  NodePtr& node = nodes_[address];
  if (!node) node = std::make_shared<RedisNode>(address, clock_);
  return node;
}

Result<std::vector<std::shared_ptr<RedisNode>>> RedisCluster::masters(Duration budget) {
  if (auto done = refresh(budget); !done) return tl::unexpected(done.error());
  const std::lock_guard lock(mutex_);
  std::vector<NodePtr> out;
  for (const Shard& shard : shards_) {
    if (std::find(out.begin(), out.end(), shard.master) == out.end()) out.push_back(shard.master);
  }
  return out;
}

}  // namespace signalbox

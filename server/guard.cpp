#include "server/guard.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <mutex>

namespace signalbox {
namespace {

constexpr std::size_t kIdLength = 12;  // sbx_ and eight digits
constexpr std::size_t kLongestKey = 200;
constexpr double kBurstSeconds = 1;

std::string_view presented_key(const ServerRequest& request) {
  std::string_view value = request.header("authorization");
  if (value.size() > 7 && (value[0] == 'B' || value[0] == 'b') && value.substr(1, 6) == "earer ")
    return value.substr(7);
  return request.header("x-api-key");
}

// Lets a request through when its bucket has room, and says otherwise how long to wait. One atomic: the
// time at which all requests so far would have been served at the allowed pace.
double wait_for_rate(const Caller& caller, std::int64_t now) {
  if (caller.line.rate <= 0) return 0;
  const auto cost = static_cast<std::int64_t>(1e9 / caller.line.rate);
  const std::int64_t burst = std::max(cost, static_cast<std::int64_t>(kBurstSeconds * 1e9));
  std::int64_t seen = caller.next_free.load(std::memory_order_relaxed);
  for (;;) {
    const std::int64_t next = std::max(seen, now) + cost;
    if (next - now > burst) return static_cast<double>(next - now - burst) / 1e9;
    if (caller.next_free.compare_exchange_weak(seen, next, std::memory_order_relaxed)) return 0;
  }
}

}  // namespace

Guard::Guard(std::vector<KeyLine> keys, std::shared_ptr<const Clock> clock)
    : has_keys_(true), clock_(clock ? std::move(clock) : std::make_shared<SteadyClock>()) {
  for (KeyLine& line : keys) add(std::move(line));
}

void Guard::add(KeyLine line) {
  auto caller = std::make_unique<Caller>();
  caller->line = std::move(line);
  const std::string id = caller->line.id;
  const std::unique_lock lock(mutex_);
  callers_.emplace(id, std::move(caller));
}

bool Guard::revoke(const std::string& id) {
  const std::shared_lock lock(mutex_);
  const auto known = callers_.find(id);
  return known != callers_.end() && !known->second->is_revoked.exchange(true);
}

std::vector<KeyLine> Guard::keys() const {
  const std::shared_lock lock(mutex_);
  std::vector<KeyLine> out;
  for (const auto& [id, caller] : callers_) {
    if (!caller->is_revoked) out.push_back(caller->line);
  }
  return out;
}

const Caller* Guard::find(std::string_view id) const {
  const std::shared_lock lock(mutex_);
  const auto known = callers_.find(id);
  return known == callers_.end() || known->second->is_revoked ? nullptr : known->second.get();
}

Guard::Verdict Guard::admit(const ServerRequest& request, Scope needed) const {
  Verdict verdict;
  if (needed == Scope::Open || !has_keys_) return verdict;
  const std::string_view key = presented_key(request);
  if (key.empty()) {
    verdict.status = 401;
    verdict.code = "missing_key";
    verdict.message = "give a key: Authorization: Bearer sbx_...";
    return verdict;
  }
  const Caller* known = find(key.substr(0, std::min(key.size(), kIdLength)));
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  if (key.size() <= kLongestKey)
    SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), digest.data());
  // An unknown key is compared too, so that the time says nothing about which ids exist.
  static const std::array<unsigned char, 32> kNobody{};
  const auto& expected = known ? known->line.digest : kNobody;
  const bool is_same = CRYPTO_memcmp(digest.data(), expected.data(), digest.size()) == 0;
  if (!known || !is_same || key.size() > kLongestKey) {
    verdict.status = 401;
    verdict.code = "invalid_key";
    verdict.message = "this key is not known";
    return verdict;
  }
  const Caller& caller = *known;
  if ((caller.line.scopes & static_cast<std::uint8_t>(needed)) == 0) {
    verdict.status = 403;
    verdict.code = "missing_scope";
    verdict.message = "this key does not allow that";
    return verdict;
  }
  verdict.caller = &caller;
  if (caller.line.concurrency > 0) {
    if (caller.active.fetch_add(1) >= caller.line.concurrency) {
      --caller.active;
      verdict.status = 429;
      verdict.code = "too_many_at_once";
      verdict.message = "this key has too many requests under way";
      verdict.retry_after = 1;
      return verdict;
    }
    verdict.ticket = std::shared_ptr<void>(nullptr, [&caller](void*) { --caller.active; });
  }
  verdict.retry_after = wait_for_rate(caller, clock_->now().time_since_epoch().count());
  if (verdict.retry_after > 0) {
    verdict.status = 429;
    verdict.code = "rate_limited";
    verdict.message = "this key asks too often";
  }
  return verdict;
}

}  // namespace signalbox

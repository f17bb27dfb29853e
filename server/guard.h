// Who may call what, how often, and how many at a time.
//
// Keys are long random strings; the file holds their SHA-256 alone. A presented key is compared in
// constant time. Without a key file everyone who can connect may do everything, so the server then
// listens on this machine only. Keys may come and go while it runs. Thread-safe: rates and counts are
// atomics.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "net/server_request.h"
#include "signalbox/result.h"

namespace signalbox {

enum class Scope : std::uint8_t { Open = 0, Route = 1, Chat = 2, Admin = 4 };

// One line of the key file:
//   sbx_1a2b3c4d name=app scope=route,chat rate=100/s concurrency=8 sha256=<64 hexadecimal digits>
struct KeyLine {
  std::string id;
  std::string name;
  std::uint8_t scopes = 0;
  double rate = 0;      // requests a second; 0: no limit
  int concurrency = 0;  // 0: no limit
  std::array<unsigned char, 32> digest{};

  std::string text() const;
  std::string scope_names() const;  // "route,chat"
};

// A new key and its line; the key itself is kept nowhere.
struct NewKey {
  std::string key;
  KeyLine line;
};
Result<NewKey> make_key(std::string name, std::string_view scopes, std::string_view rate,
                        int concurrency);

// InvalidInput names the line. Blank lines and those that begin with # are passed over.
Result<std::vector<KeyLine>> parse_keys(std::string_view text);

struct Caller {
  KeyLine line;
  mutable std::atomic<std::int64_t> next_free{0};  // nanoseconds: when the bucket is full again
  mutable std::atomic<int> active{0};
  std::atomic<bool> is_revoked{false};
};

class Guard {
 public:
  Guard() = default;  // no keys: everyone may
  explicit Guard(std::vector<KeyLine> keys, std::shared_ptr<const Clock> clock = nullptr);

  bool has_keys() const { return has_keys_; }
  void add(KeyLine line);
  // From now on it opens nothing; what it began may end. False: there is none of that id.
  bool revoke(const std::string& id);
  std::vector<KeyLine> keys() const;  // those that open something, by id

  struct Verdict {
    int status = 200;  // 401, 403 or 429 otherwise
    std::string_view code;
    std::string_view message;
    double retry_after = 0;  // seconds, with 429
    const Caller* caller = nullptr;
    std::shared_ptr<void> ticket;  // gives the place back when it goes
  };
  Verdict admit(const ServerRequest& request, Scope needed) const;

 private:
  const Caller* find(std::string_view id) const;

  const bool has_keys_ = false;
  mutable std::shared_mutex mutex_;
  // Guarded by mutex_. A caller stays to the end, revoked or not: requests under way point to it.
  std::map<std::string, std::unique_ptr<Caller>, std::less<>> callers_;
  std::shared_ptr<const Clock> clock_;
};

}  // namespace signalbox

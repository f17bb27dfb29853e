// A store that can be broken: fails with a code, or is written to by another between load and save.
#pragma once

#include <functional>
#include <optional>

#include "store/memory_sessions.h"

namespace signalbox {

class FakeSessionStore : public SessionStore {
 public:
  std::optional<ErrorCode> load_fails;
  std::optional<ErrorCode> save_fails;
  std::function<void(SessionStore&)> before_save;  // called once, then forgotten
  int loads = 0;
  int saves = 0;

  Result<std::optional<Session>> load(const std::string& id, Duration budget) override {
    ++loads;
    if (load_fails) return fail(*load_fails, "the fake is down");
    return kept_.load(id, budget);
  }
  Result<SaveOutcome> save(const std::string& id, const Session& session, Duration budget) override {
    ++saves;
    if (before_save) {
      const auto meddle = std::exchange(before_save, {});
      meddle(kept_);
    }
    if (save_fails) return fail(*save_fails, "the fake is down");
    return kept_.save(id, session, budget);
  }
  Result<bool> erase(const std::string& id, Duration budget) override {
    return kept_.erase(id, budget);
  }
  Result<std::uint64_t> count(Duration budget) override { return kept_.count(budget); }
  Result<std::vector<SessionSummary>> list(std::size_t limit, Duration budget) override {
    return kept_.list(limit, budget);
  }
  const char* kind() const override { return "fake"; }

 private:
  MemorySessionStore kept_;
};

}  // namespace signalbox

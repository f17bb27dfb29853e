// Sessions in one SQLite file, in WAL mode: what was acknowledged survives a crash of the process and
// of the machine.
//
// Several processes may share the file. Writers that come together are committed together: one fsync
// for all of them. Readers never wait for a writer.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "context/session_store.h"
#include "store/sqlite.h"

namespace signalbox {

struct SqliteSessionOptions {
  std::chrono::milliseconds lifetime = kSessionLifetime;
  bool sync = true;  // false: a crash of the machine, not of the process, may lose the last turns
};

class SqliteSessionStore : public SessionStore {
 public:
  // A file that is no database, or a damaged one, is set aside as PATH.damaged-N and a new one begun:
  // `notice` then says so. InvalidInput: the folder is missing, or a newer program wrote the file.
  static Result<std::unique_ptr<SqliteSessionStore>> open(
      const std::string& path, SqliteSessionOptions options = {},
      std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>());

  Result<std::optional<Session>> load(const std::string& id, Duration budget) override;
  Result<SaveOutcome> save(const std::string& id, const Session& session, Duration budget) override;
  Result<bool> erase(const std::string& id, Duration budget) override;
  Result<std::uint64_t> count(Duration budget) override;
  Result<std::vector<SessionSummary>> list(std::size_t limit, Duration budget) override;
  const char* kind() const override { return "sqlite"; }

  const std::string& notice() const { return notice_; }

 private:
  struct Write;
  struct Reader {
    SqliteDatabase database;
    SqliteStatement select;
  };
  struct Writer {
    SqliteDatabase database;
    SqliteStatement begin, commit, rollback, version, put, remove, sweep;
  };

  SqliteSessionStore(std::string path, SqliteSessionOptions options, std::shared_ptr<const Clock> clock,
                     Writer writer);
  static Result<Writer> open_writer(const std::string& path, const SqliteSessionOptions& options);

  Result<Reader> borrow();
  void give_back(Reader reader);
  std::int64_t oldest_kept() const;  // touched after this, in milliseconds

  Result<SaveOutcome> write(Write& mine);
  Result<void> commit_all(std::vector<Write*>& batch);
  Result<SaveOutcome> apply(Write& write);

  const std::string path_;
  const SqliteSessionOptions options_;
  std::shared_ptr<const Clock> clock_;
  std::string notice_;

  std::mutex readers_mutex_;
  std::vector<Reader> readers_;  // guarded by readers_mutex_

  std::mutex writes_mutex_;
  std::condition_variable written_;
  std::vector<Write*> waiting_;  // guarded by writes_mutex_
  bool is_writing_ = false;      // guarded by writes_mutex_
  Writer writer_;                // used by whoever set is_writing_
  int until_sweep_ = 0;          // likewise
};

}  // namespace signalbox

#include "store/sqlite_sessions.h"

#include <fmt/format.h>

#include <filesystem>

#include "store/session_codec.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

constexpr int kSchemaVersion = 1;
constexpr int kSweepEvery = 1000;  // writes
constexpr std::size_t kMaxReaders = 16;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int64_t to_ms(WallTime time) {
  return time.time_since_epoch().count();
}

Result<void> make_schema(SqliteDatabase& database) {
  auto version = database.prepare("PRAGMA user_version");
  if (!version) return tl::unexpected(version.error());
  auto row = version->step();
  if (!row) return tl::unexpected(row.error());
  const std::int64_t found = version->integer(0);
  version->reset();
  if (found > kSchemaVersion)
    return fail(ErrorCode::InvalidInput,
                fmt::format("the file has format {}, this program knows {}", found, kSchemaVersion));
  if (found == kSchemaVersion) return {};
  return database.execute(
      fmt::format("BEGIN IMMEDIATE;"
                  "CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, version INTEGER NOT NULL,"
                  " touched INTEGER NOT NULL, body BLOB NOT NULL);"
                  "CREATE INDEX IF NOT EXISTS sessions_touched ON sessions (touched);"
                  "PRAGMA user_version = {};"
                  "COMMIT",
                  kSchemaVersion));
}

// Out of the way, with what belongs to it: a new database must not meet the old one's log.
Result<std::string> set_aside(const std::string& path) {
  for (int i = 1; i < 1000; ++i) {
    const std::string aside = fmt::format("{}.damaged-{}", path, i);
    std::error_code ec;
    if (fs::exists(aside, ec)) continue;
    fs::rename(path, aside, ec);
    if (ec) break;
    for (const char* part : {"-wal", "-shm"}) fs::rename(path + part, aside + part, ec);
    return aside;
  }
  return fail(ErrorCode::Upstream, fmt::format("cannot set the damaged {} aside", path));
}

}  // namespace

// One change that waits for its commit. `session` is empty when it erases.
struct SqliteSessionStore::Write {
  const std::string& id;
  std::uint64_t expected = 0;
  std::uint64_t next = 0;
  std::int64_t touched = 0;
  std::string body{};
  bool erases = false;
  Result<SaveOutcome> outcome = SaveOutcome::Conflict;
  bool is_done = false;
};

SqliteSessionStore::SqliteSessionStore(std::string path, SqliteSessionOptions options,
                                       std::shared_ptr<const Clock> clock, Writer writer)
    : path_(std::move(path)), options_(options), clock_(std::move(clock)), writer_(std::move(writer)) {}

Result<SqliteSessionStore::Writer> SqliteSessionStore::open_writer(
    const std::string& path, const SqliteSessionOptions& options) {
  auto database = SqliteDatabase::open(path, SqliteMode::Create);
  if (!database) return tl::unexpected(database.error());
  Result<void> done = database->execute("PRAGMA journal_mode=WAL");
  if (done)
    done = database->execute(options.sync ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
  if (done) done = make_schema(*database);
  if (!done) return tl::unexpected(done.error());
  constexpr std::string_view kTexts[] = {
      "BEGIN IMMEDIATE",
      "COMMIT",
      "ROLLBACK",
      "SELECT version FROM sessions WHERE id = ? AND touched > ?",
      "INSERT INTO sessions (id, version, touched, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
      " SET version = excluded.version, touched = excluded.touched, body = excluded.body",
      "DELETE FROM sessions WHERE id = ?",
      "DELETE FROM sessions WHERE rowid IN (SELECT rowid FROM sessions WHERE touched <= ? LIMIT 2000)"};
  std::vector<SqliteStatement> made;
  for (const std::string_view text : kTexts) {
    auto statement = database->prepare(text);
    if (!statement) return tl::unexpected(statement.error());
    made.push_back(*std::move(statement));
  }
  return Writer{*std::move(database), std::move(made[0]), std::move(made[1]), std::move(made[2]),
                std::move(made[3]),   std::move(made[4]), std::move(made[5]), std::move(made[6])};
}

Result<std::unique_ptr<SqliteSessionStore>> SqliteSessionStore::open(
    const std::string& path, SqliteSessionOptions options, std::shared_ptr<const Clock> clock) {
  std::string notice;
  auto writer = open_writer(path, options);
  if (!writer && writer.error().code == ErrorCode::Corrupt) {
    auto aside = set_aside(path);
    if (!aside) return tl::unexpected(aside.error());
    notice = fmt::format("{} is damaged; it is kept as {}, and sessions begin anew", path, *aside);
    writer = open_writer(path, options);
  }
  if (!writer) return fail(writer.error().code, fmt::format("{}: {}", path, writer.error().message));
  std::unique_ptr<SqliteSessionStore> store(
      new SqliteSessionStore(path, options, std::move(clock), *std::move(writer)));
  store->notice_ = std::move(notice);
  return store;
}

std::int64_t SqliteSessionStore::oldest_kept() const {
  return to_ms(clock_->wall()) - options_.lifetime.count();
}

Result<SqliteSessionStore::Reader> SqliteSessionStore::borrow() {
  {
    const std::lock_guard lock(readers_mutex_);
    if (!readers_.empty()) {
      Reader reader = std::move(readers_.back());
      readers_.pop_back();
      return reader;
    }
  }
  auto database = SqliteDatabase::open(path_, SqliteMode::ReadWrite);
  if (!database) return tl::unexpected(database.error());
  auto select = database->prepare("SELECT body FROM sessions WHERE id = ? AND touched > ?");
  if (!select) return tl::unexpected(select.error());
  return Reader{*std::move(database), *std::move(select)};
}

void SqliteSessionStore::give_back(Reader reader) {
  const std::lock_guard lock(readers_mutex_);
  if (readers_.size() < kMaxReaders) readers_.push_back(std::move(reader));
}

Result<std::optional<Session>> SqliteSessionStore::load(const std::string& id, Duration) {
  auto reader = borrow();
  if (!reader) return tl::unexpected(reader.error());
  auto row = reader->select.bind(1, id).bind(2, oldest_kept()).step();
  if (!row) return tl::unexpected(row.error());
  Result<std::optional<Session>> out = std::optional<Session>();
  if (*row) {
    auto session = decode_session(as_text(reader->select.bytes(0)));
    if (session)
      out = *std::move(session);
    else
      out = tl::unexpected(session.error());
  }
  reader->select.reset();
  give_back(*std::move(reader));
  return out;
}

Result<SaveOutcome> SqliteSessionStore::save(const std::string& id, const Session& session, Duration) {
  Write mine{id, session.version, next_version(session), to_ms(session.touched), ""};
  mine.body = encode_session(session, mine.next);
  return write(mine);
}

Result<bool> SqliteSessionStore::erase(const std::string& id, Duration) {
  Write mine{id};
  mine.erases = true;
  auto outcome = write(mine);
  if (!outcome) return tl::unexpected(outcome.error());
  return *outcome == SaveOutcome::Saved;
}

// Whoever comes while nobody writes takes all that wait, its own among them, to one commit.
Result<SaveOutcome> SqliteSessionStore::write(Write& mine) {
  std::unique_lock lock(writes_mutex_);
  waiting_.push_back(&mine);
  written_.wait(lock, [&] { return mine.is_done || !is_writing_; });
  if (mine.is_done) return mine.outcome;
  is_writing_ = true;
  std::vector<Write*> batch = std::exchange(waiting_, {});
  lock.unlock();
  const Result<void> committed = commit_all(batch);
  lock.lock();
  for (Write* write : batch) {
    if (!committed) write->outcome = tl::unexpected(committed.error());
    write->is_done = true;
  }
  is_writing_ = false;
  written_.notify_all();
  return mine.outcome;
}

Result<void> SqliteSessionStore::commit_all(std::vector<Write*>& batch) {
  if (auto begun = writer_.begin.run(); !begun) return begun;
  for (Write* write : batch) {
    write->outcome = apply(*write);
    if (!write->outcome) {
      writer_.rollback.run();
      return tl::unexpected(write->outcome.error());
    }
  }
  until_sweep_ -= static_cast<int>(batch.size());
  if (until_sweep_ <= 0) {
    until_sweep_ = kSweepEvery;
    writer_.sweep.bind(1, oldest_kept()).run();  // what it leaves, the next one takes
  }
  auto committed = writer_.commit.run();
  if (!committed) writer_.rollback.run();
  return committed;
}

Result<SaveOutcome> SqliteSessionStore::apply(Write& write) {
  auto row = writer_.version.bind(1, write.id).bind(2, oldest_kept()).step();
  if (!row) return tl::unexpected(row.error());
  const bool is_there = *row;
  const std::uint64_t stored =
      is_there ? static_cast<std::uint64_t>(writer_.version.integer(0)) : std::uint64_t{0};
  writer_.version.reset();
  if (write.erases) {
    if (auto gone = writer_.remove.bind(1, write.id).run(); !gone) return tl::unexpected(gone.error());
    return is_there ? SaveOutcome::Saved : SaveOutcome::Conflict;
  }
  if (stored != write.expected) return SaveOutcome::Conflict;
  auto put = writer_.put.bind(1, write.id)
                 .bind(2, static_cast<std::int64_t>(write.next))
                 .bind(3, write.touched)
                 .bind_bytes(4, std::as_bytes(std::span(write.body)))
                 .run();
  if (!put) return tl::unexpected(put.error());
  return SaveOutcome::Saved;
}

Result<std::uint64_t> SqliteSessionStore::count(Duration) {
  auto reader = borrow();
  if (!reader) return tl::unexpected(reader.error());
  std::uint64_t found = 0;
  {
    auto query = reader->database.prepare("SELECT count(*) FROM sessions WHERE touched > ?");
    if (!query) return tl::unexpected(query.error());
    auto row = query->bind(1, oldest_kept()).step();
    if (!row) return tl::unexpected(row.error());
    found = static_cast<std::uint64_t>(query->integer(0));
  }
  give_back(*std::move(reader));
  return found;
}

Result<std::vector<SessionSummary>> SqliteSessionStore::list(std::size_t limit, Duration) {
  auto reader = borrow();
  if (!reader) return tl::unexpected(reader.error());
  std::vector<SessionSummary> out;
  {
    auto query = reader->database.prepare(
        "SELECT id, touched FROM sessions WHERE touched > ? ORDER BY touched DESC LIMIT ?");
    if (!query) return tl::unexpected(query.error());
    query->bind(1, oldest_kept()).bind(2, static_cast<std::int64_t>(limit));
    for (;;) {
      auto row = query->step();
      if (!row) return tl::unexpected(row.error());
      if (!*row) break;
      out.push_back(
          {std::string(query->text(0)), WallTime(std::chrono::milliseconds(query->integer(1)))});
    }
  }
  give_back(*std::move(reader));
  return out;
}

}  // namespace signalbox

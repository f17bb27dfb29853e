#include "record/decision_log.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.h"
#include "base/log.h"
#include "store/sqlite.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 512;  // entries in one transaction

constexpr const char* kSchema = R"(
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS decisions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, caller TEXT NOT NULL,
  profile TEXT NOT NULL, profile_hash TEXT NOT NULL, route TEXT NOT NULL, request TEXT NOT NULL,
  decision TEXT NOT NULL, redacted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS answers (digest TEXT NOT NULL, at INTEGER NOT NULL, answer TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS answers_digest ON answers (digest, at);
CREATE TABLE IF NOT EXISTS feedback (
  decision_id TEXT NOT NULL, at INTEGER NOT NULL, rating TEXT NOT NULL, route TEXT NOT NULL, comment TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS feedback_decision ON feedback (decision_id);
CREATE INDEX IF NOT EXISTS decisions_profile ON decisions (profile, sequence);
)";

Result<void> insert(SqliteDatabase& db, const LoggedDecision& d) {
  auto statement = db.prepare(
      "INSERT OR IGNORE INTO decisions (id, at, caller, profile, profile_hash, route, request, "
      "decision, redacted) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!statement) return tl::unexpected(statement.error());
  return statement->bind(1, d.id)
      .bind(2, d.at)
      .bind(3, d.caller)
      .bind(4, d.profile)
      .bind(5, d.profile_hash)
      .bind(6, d.route)
      .bind(7, d.request)
      .bind(8, d.decision)
      .bind(9, d.is_redacted ? 1 : 0)
      .run();
}

Result<void> insert(SqliteDatabase& db, const LoggedAnswer& a) {
  auto statement = db.prepare("INSERT INTO answers (digest, at, answer) VALUES (?, ?, ?)");
  if (!statement) return tl::unexpected(statement.error());
  return statement->bind(1, a.digest).bind(2, a.at).bind(3, a.answer).run();
}

Result<void> insert(SqliteDatabase& db, const LoggedFeedback& f) {
  auto statement = db.prepare(
      "INSERT INTO feedback (decision_id, at, rating, route, comment) VALUES (?, ?, ?, ?, ?)");
  if (!statement) return tl::unexpected(statement.error());
  return statement->bind(1, f.decision_id)
      .bind(2, f.at)
      .bind(3, f.rating)
      .bind(4, f.route)
      .bind(5, f.comment)
      .run();
}

void redact(const Redactor& redactor, LoggedDecision& d) {
  Redaction request = redactor.redact_json(d.request);
  Redaction decision = redactor.redact_json(d.decision);
  d.is_redacted = request.count + decision.count > 0;
  d.request = std::move(request.text);
  d.decision = std::move(decision.text);
}
void redact(const Redactor& redactor, LoggedAnswer& a) {
  a.answer = redactor.redact_json(a.answer).text;
}
void redact(const Redactor& redactor, LoggedFeedback& f) {
  f.comment = redactor.redact(f.comment).text;
}

}  // namespace

DecisionLog::DecisionLog(LogOptions options) : options_(std::move(options)) {}

Result<std::unique_ptr<DecisionLog>> DecisionLog::open(LogOptions options) {
  std::unique_ptr<DecisionLog> log(new DecisionLog(std::move(options)));
  if (auto opened = log->open_file(); !opened)
    return fail(opened.error().code, log->options_.path + ": " + opened.error().message);
  log->writer_ = std::thread([at = log.get()] { at->write_on(); });
  return log;
}

DecisionLog::~DecisionLog() {
  if (!writer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  writer_.join();
}

Result<void> DecisionLog::open_file() {
  auto opened = SqliteDatabase::open(options_.path, SqliteMode::Create);
  if (!opened) return tl::unexpected(opened.error());
  database_ = std::make_unique<SqliteDatabase>(*std::move(opened));
  if (auto made = database_->execute(kSchema); !made) return made;
  auto oldest = database_->prepare("SELECT min(at) FROM decisions");
  if (!oldest) return tl::unexpected(oldest.error());
  const auto row = oldest->step();
  if (!row) return tl::unexpected(row.error());
  first_at_ = *row && !oldest->is_null(0) ? oldest->integer(0) : 0;
  return {};
}

bool DecisionLog::is_sampled(std::uint64_t number) const {
  if (options_.sample >= 1) return true;
  const std::uint64_t mixed =
      hash_text({reinterpret_cast<const char*>(&number), sizeof number}) * 0x9E3779B97F4A7C15ULL;
  return static_cast<double>(mixed >> 11) * 0x1.0p-53 < options_.sample;
}

bool DecisionLog::add(LoggedDecision decision) {
  return push(std::move(decision));
}
bool DecisionLog::add(LoggedAnswer answer) {
  return push(std::move(answer));
}
bool DecisionLog::add(LoggedFeedback feedback) {
  return push(std::move(feedback));
}

bool DecisionLog::push(Entry entry) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= options_.queue) {
      ++dropped_;
      return false;
    }
    queue_.push_back(std::move(entry));
    if (queue_.size() > 1) return true;  // the writer is awake already
  }
  wake_.notify_one();
  return true;
}

void DecisionLog::write_on() {
  for (;;) {
    std::vector<Entry> batch;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return is_ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      while (!queue_.empty() && batch.size() < kBatch) {
        batch.push_back(std::move(queue_.front()));
        queue_.pop_front();
      }
      under_way_ = batch.size();
    }
    rotate_if_due();
    write(batch);
    {
      const std::lock_guard lock(mutex_);
      under_way_ = 0;
    }
    written_.notify_all();
  }
}

void DecisionLog::write(std::vector<Entry>& batch) {
  Result<void> done = database_->execute("BEGIN");
  for (Entry& entry : batch) {
    if (!done) break;
    std::visit(
        [&](auto& item) {
          if (options_.redactor) redact(*options_.redactor, item);
          if (first_at_ == 0) first_at_ = item.at;
          done = insert(*database_, item);
        },
        entry);
  }
  if (done) done = database_->execute("COMMIT");
  if (done) {
    written_count_ += batch.size();
    return;
  }
  (void)database_->execute("ROLLBACK");
  failed_ += batch.size();
  log_event(LogLevel::Error, "decision_log_failed", {{"message", done.error().message}});
}

// file → file.1 → file.2 …; the last is removed.
void DecisionLog::rotate_if_due() {
  std::error_code ec;
  const auto size = fs::file_size(options_.path, ec);
  const std::int64_t now = options_.clock->wall().time_since_epoch().count();
  const std::int64_t age =
      std::chrono::duration_cast<std::chrono::milliseconds>(options_.max_age).count();
  const bool is_old = first_at_ > 0 && now - first_at_ > age;
  if ((ec || size < options_.max_bytes) && !is_old) return;
  (void)database_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
  database_.reset();
  const auto name = [&](int number) { return fs::path(options_.path + "." + std::to_string(number)); };
  fs::remove(name(options_.keep_files), ec);
  for (int i = options_.keep_files - 1; i >= 1; --i) fs::rename(name(i), name(i + 1), ec);
  fs::rename(options_.path, name(1), ec);
  for (const char* beside : {"-wal", "-shm"}) fs::remove(options_.path + beside, ec);
  if (auto opened = open_file(); !opened)
    log_event(LogLevel::Error, "decision_log_failed", {{"message", opened.error().message}});
}

Result<bool> DecisionLog::has(const std::string& id) const {
  auto db = SqliteDatabase::open(options_.path, SqliteMode::ReadOnly);
  if (!db) return tl::unexpected(db.error());
  auto query = db->prepare("SELECT 1 FROM decisions WHERE id = ?");
  if (!query) return tl::unexpected(query.error());
  return query->bind(1, id).step();
}

void DecisionLog::flush() {
  std::unique_lock lock(mutex_);
  written_.wait(lock, [this] { return queue_.empty() && under_way_ == 0; });
}

LogCounts DecisionLog::counts() const {
  return {written_count_, dropped_, failed_};
}

}  // namespace signalbox

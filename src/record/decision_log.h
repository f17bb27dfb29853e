// Decisions on disk: what was asked, what was decided, what the models said, what people thought of it.
//
// SQLite, written by one thread of its own behind a bounded queue: add() never waits, and what does not
// fit is dropped and counted. Personal data are taken out before anything is stored. The file is set
// aside when it grows too large or too old; so many of them are kept. Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "record/redactor.h"
#include "signalbox/result.h"

namespace signalbox {

class SqliteDatabase;

struct LogOptions {
  std::string path;
  double sample = 1;                                 // share of decisions that are kept
  std::size_t queue = 4096;                          // entries that may wait for the writer
  std::uint64_t max_bytes = std::uint64_t{1} << 30;  // then a new file is begun
  std::chrono::hours max_age{24 * 30};
  int keep_files = 5;                        // set aside ones, the oldest are removed
  std::shared_ptr<const Redactor> redactor;  // empty: nothing is taken out
  std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>();
};

struct LoggedDecision {
  std::int64_t sequence = 0;  // of the file; the cursor of a search
  std::string id;
  std::int64_t at = 0;  // milliseconds since 1970
  std::string caller;   // the key's name
  std::string profile;
  std::string profile_hash;
  std::string route;
  std::string request;   // JSON, as it came
  std::string decision;  // JSON
  bool is_redacted = false;
};

// A model's answer to one prompt, found again by what was asked.
struct LoggedAnswer {
  std::string digest;
  std::int64_t at = 0;
  std::string answer;  // JSON
};

struct LoggedFeedback {
  std::string decision_id;
  std::int64_t at = 0;
  std::string rating;  // "up" or "down"
  std::string route;   // what it should have been; may be empty
  std::string comment;
};

struct LogCounts {
  std::uint64_t written = 0;
  std::uint64_t dropped = 0;  // the queue was full
  std::uint64_t failed = 0;   // the database refused
};

class DecisionLog {
 public:
  static Result<std::unique_ptr<DecisionLog>> open(LogOptions options);
  ~DecisionLog();  // writes what waits

  // Whether the decision of this number is among those kept; the same number always gives the same.
  bool is_sampled(std::uint64_t number) const;
  bool add(LoggedDecision decision);
  bool add(LoggedAnswer answer);
  bool add(LoggedFeedback feedback);

  const std::string& path() const { return options_.path; }  // for record/log_search.h
  Result<bool> has(const std::string& id) const;
  void flush();  // until all that was added is written
  LogCounts counts() const;

 private:
  using Entry = std::variant<LoggedDecision, LoggedAnswer, LoggedFeedback>;
  explicit DecisionLog(LogOptions options);
  bool push(Entry entry);
  void write_on();
  void write(std::vector<Entry>& batch);
  void rotate_if_due();
  Result<void> open_file();

  LogOptions options_;
  std::unique_ptr<SqliteDatabase> database_;  // of the writer's thread
  std::int64_t first_at_ = 0;                 // of the file's oldest decision; of the writer's thread
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable written_;
  std::deque<Entry> queue_;    // guarded by mutex_
  bool is_ending_ = false;     // guarded by mutex_
  std::size_t under_way_ = 0;  // guarded by mutex_
  std::atomic<std::uint64_t> written_count_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::uint64_t> failed_{0};
  std::thread writer_;
};

}  // namespace signalbox

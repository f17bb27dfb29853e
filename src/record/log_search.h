// Questions to a decision log: rows by what they hold, how confidence drifts, what a replay of one
// needs.
//
// Each call opens the file for itself, read only, so it never stands in the writer's way. The log may
// be large: a search looks at a bounded number of rows and says where to go on. Thread-safe; waits for
// the disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/decision_log.h"
#include "record/replay.h"

namespace signalbox {

// What a row must be; empty fields ask for nothing.
struct LogFilter {
  std::string text;  // in the message, without case
  std::string id;
  std::string profile;
  std::string route;  // "none": no route
  std::string tier;
  std::string decided_by;
  std::string session;
  std::string rule;                   // of the contract, broken; "any": one of them
  std::string feedback;               // "up", "down" or "any"
  std::optional<double> below;        // confidence less than this
  std::optional<std::int64_t> since;  // milliseconds since 1970
  std::optional<std::int64_t> until;  // … up to and without
};

struct FoundDecision {
  LoggedDecision row;
  std::optional<LoggedFeedback> feedback;  // the last
};

struct LogPage {
  std::vector<FoundDecision> rows;  // the newest first
  std::int64_t next = 0;            // the cursor to go on with; 0: that was all
};

// Rows before `cursor` (0: from the newest), at most `limit`. Looks at 20,000 rows at most: a page may
// be short, or empty, and still have a `next`.
Result<LogPage> search_log(const std::string& path, const LogFilter& filter, std::int64_t cursor,
                           std::size_t limit);

// Means over one stretch of time.
struct DriftPoint {
  std::int64_t at = 0;  // its beginning, milliseconds since 1970
  std::int64_t decisions = 0;
  double confidence = 0;
  double out_of_scope = 0;  // shares
  double asked = 0;
  double with_llm = 0;
};

struct Drift {
  std::int64_t width = 0;          // of a stretch, milliseconds
  std::int64_t rows = 0;           // that were looked at
  std::vector<DriftPoint> points;  // the oldest first; stretches without a decision are left out
};

// Of a profile's decisions, or of about 10,000 spread over all of them where there are more;
// `oos_signal` is what it calls out of scope.
Result<Drift> drift_of_log(const std::string& path, const std::string& profile,
                           const std::string& oos_signal);

// The row of that id, the earlier ones of its session before it, and what models said up to then.
// NotFound: there is none.
Result<LogContents> log_for_replay(const std::string& path, const std::string& id);

}  // namespace signalbox

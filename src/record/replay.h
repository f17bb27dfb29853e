// Runs a decision log again and says what would be decided differently.
//
// The clock stands at the time of each decision; models answer and retrieval finds as the log says.
// Fields that only measure (trace, elapsed_us) are not compared, nor who decided where the cache did. A
// redacted row is run too, but since its words are no longer those that were decided on, it is counted
// apart and never as a difference.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "record/decision_log.h"
#include "signalbox/router.h"

namespace signalbox {

struct LogContents {
  std::vector<LoggedDecision> decisions;  // the oldest first
  std::vector<LoggedAnswer> answers;
};

// A log file of `serve`. NotFound, or Corrupt when it is none.
Result<LogContents> read_decision_log(const std::string& path);

struct FieldChange {
  std::string field;
  std::string before;  // JSON
  std::string after;
};

struct ReplayedRow {
  std::string id;
  std::string query;
  std::vector<FieldChange> changes;
  bool is_redacted = false;
  std::string error;     // the request is refused now
  std::string decision;  // JSON: as it would be now; empty with an error
};

struct ReplayReport {
  std::size_t rows = 0;
  std::size_t same = 0;
  std::size_t redacted = 0;
  std::size_t failed = 0;
  std::map<std::string, std::size_t> changed_fields;
  std::vector<ReplayedRow> differing;  // not redacted ones
};

// Opens a profile by name with the clock and model it is given.
using OpenForReplay =
    std::function<Result<std::unique_ptr<Router>>(const std::string& profile, RouterOptions)>;

// `profile`: run all rows on this one; empty: each on its own.
Result<ReplayReport> replay_log(const LogContents& log, const std::string& profile,
                                const OpenForReplay& open);

// The same for the last row alone; those before it only bring its conversation back.
Result<ReplayedRow> replay_last(const LogContents& log, const std::string& profile,
                                const OpenForReplay& open);

}  // namespace signalbox

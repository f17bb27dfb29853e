// What a decision log teaches: rows that people labelled, and how two models on trial fared.
//
// A thumb up confirms the route that was decided, a route named in feedback corrects it; of several
// opinions on one decision the last counts. Decisions nobody judged give no row: a router must not
// learn from itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

struct LabelledRow {
  std::string id;  // of the decision
  std::string profile;
  std::string query;
  std::string label;         // the right route
  std::string decided;       // the one that was decided; empty: it asked
  bool is_redacted = false;  // its words are not quite those that were said
};

// One arm of a trial, as the log saw it.
struct ArmFigures {
  std::uint64_t decisions = 0;
  std::uint64_t asked = 0;   // answered with a question
  std::uint64_t agreed = 0;  // the other arm would have chosen the same route
  std::uint64_t up = 0;
  std::uint64_t down = 0;
};

struct LogLessons {
  std::vector<LabelledRow> rows;           // the oldest first
  std::map<std::string, ArmFigures> arms;  // "champion", "challenger"; empty: no trial
};

// A log file of `serve --log`. `profile` empty: of every profile. NotFound, or Corrupt when it is none.
Result<LogLessons> read_learned(const std::string& path, const std::string& profile = "");

}  // namespace signalbox

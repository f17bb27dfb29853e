// What is said to a question about data: the statement, its rows, or why there are none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "signalbox/decision.h"
#include "sql/sql_rows.h"

namespace signalbox {

struct SqlAnswer {
  std::string sql;  // always shown; empty only when none was written
  SqlRows rows;
  bool is_refused = false;
  std::string reason;      // why it is refused, for people
  std::optional<Ask> ask;  // what would help
  std::string written_by;  // "rules", "model" or "user"
  int llm_calls = 0;
  std::vector<std::string> notes;  // what was cut off the prompt, what was repaired
};

// {sql, columns, rows, refused, reason, ask, cut, written_by, llm_calls, notes}
std::string sql_answer_json(const SqlAnswer& answer);

}  // namespace signalbox

// A query written by a language model, tried under the guard, and repaired at most twice from what the
// database itself says is wrong.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "llm/llm_client.h"
#include "sql/sql_prompt.h"
#include "sql/sql_rows.h"

namespace signalbox {

struct WrittenQuery {
  std::string sql;  // empty: the model finds no query for the question
  SqlRows rows;
  std::string refusal;  // why the last statement was not run; empty: it was
  std::string failure;  // why the model gave none; empty: it did
  int llm_calls = 0;
  std::vector<std::string> notes;
};

inline constexpr int kSqlRepairs = 2;

// `run` puts a statement through the guard. The error is the database's own, when it is no refusal.
Result<WrittenQuery> write_with_model(LlmClient& llm, const SqlSchema& schema, SqlPrompt prompt,
                                      const std::function<Result<SqlRows>(const std::string&)>& run);

}  // namespace signalbox

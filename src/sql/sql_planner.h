// Answers questions about one database: written by rules where they are sure, by a model where one is
// there, and refused otherwise; always through the guard, always with the SQL.
//
// The schema and its samples are read once, when the planner is opened. ask() and run() open a
// connection of their own, so that a planner may be shared: thread-safe.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "sql/sql_access.h"
#include "sql/sql_answer.h"
#include "sql/sql_generator.h"

namespace signalbox {

class HttpClient;
class LlmClient;

struct SqlPlannerOptions {
  std::string address;
  SqlAccess access;  // `functions` may be empty: the shipped list
  bool calendar_weeks = true;
  double similarity = 0.7;             // hybrid search: what is found lies above it
  std::shared_ptr<LlmClient> llm;      // empty: rules alone
  std::shared_ptr<const Clock> clock;  // empty: the machine's
  std::shared_ptr<HttpClient> http;    // for remote libSQL; empty: none
  std::size_t prompt_tokens = 6000;    // what a model is told; 128000 suits large ones
  std::string words;                   // folder of sql.yaml and sql_words.yaml; empty: the shipped one
};

class SqlPlanner {
 public:
  // NotFound, InvalidInput or Upstream: the database cannot be opened or described.
  static Result<std::unique_ptr<SqlPlanner>> open(SqlPlannerOptions options);
  ~SqlPlanner();

  // A refusal is an answer. An error is the database's own: Upstream, Timeout.
  // `preferred` are options of an earlier `ask` about the same question that were chosen.
  Result<SqlAnswer> ask(const std::string& question, const std::string& language = "",
                        const std::vector<std::string>& preferred = {}) const;
  // Search by meaning over the table that has vectors; refused where there is none.
  Result<SqlAnswer> search(const std::string& question, const std::string& language = "") const;
  // A statement somebody wrote or edited, under the same guard.
  Result<SqlAnswer> run(const std::string& sql) const;

  const SqlSchema& schema() const;

 private:
  struct State;
  Result<SqlAnswer> run_written(const Sure<std::string>& sql) const;
  // `doubt` is why the rules did not write it.
  Result<SqlAnswer> ask_model(const std::string& question, const SqlDoubt& doubt) const;
  explicit SqlPlanner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace signalbox

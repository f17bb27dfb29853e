#include "sql/sql_planner.h"

#include <fmt/format.h>

#include "pipeline/fleet.h"
#include "sql/sql_database.h"

namespace signalbox {
namespace {

// Describing looks at many values once; answering shows few, often.
SqlAccess describing(SqlAccess access) {
  access.limits.rows = 6000;
  access.limits.bytes = std::size_t{8} << 20;
  access.limits.time = std::max<Duration>(access.limits.time, std::chrono::seconds(10));
  return access;
}

Ask ask_back(const SqlDoubt& doubt) {
  return {doubt.options.empty() ? "clarify" : "choose", doubt.reason + "?", doubt.options};
}

}  // namespace

struct SqlPlanner::State {
  SqlPlannerOptions options;
  SqlWords words;
  SqlSchema schema;
  std::unique_ptr<SqlGenerator> generator;

  Result<std::unique_ptr<SqlDatabase>> connect() const {
    return open_sql_database(options.address, options.access, options.http.get());
  }

  DateReading reading() const {
    return {std::chrono::floor<std::chrono::days>(options.clock->wall()), options.calendar_weeks};
  }
};

SqlPlanner::SqlPlanner(std::unique_ptr<State> state) : state_(std::move(state)) {}
SqlPlanner::~SqlPlanner() = default;

const SqlSchema& SqlPlanner::schema() const {
  return state_->schema;
}

Result<std::unique_ptr<SqlPlanner>> SqlPlanner::open(SqlPlannerOptions options) {
  auto state = std::make_unique<State>();
  const std::string folder = options.words.empty() ? profiles_folder() + "/common" : options.words;
  if (!options.clock) options.clock = std::make_shared<SteadyClock>();
  if (options.access.functions.empty()) {
    auto functions = load_sql_functions(folder + "/sql.yaml");
    if (!functions) return tl::unexpected(functions.error());
    options.access.functions = *std::move(functions);
  }
  auto words = SqlWords::load(folder + "/sql_words.yaml");
  if (!words) return tl::unexpected(words.error());
  state->words = *std::move(words);
  auto wide = open_sql_database(options.address, describing(options.access), options.http.get());
  if (!wide) return tl::unexpected(wide.error());
  auto schema = describe_database(**wide);
  if (!schema) return tl::unexpected(schema.error());
  state->schema = *std::move(schema);
  state->options = std::move(options);
  state->generator = std::make_unique<SqlGenerator>(state->schema, state->words);
  return std::unique_ptr<SqlPlanner>(new SqlPlanner(std::move(state)));
}

Result<SqlAnswer> SqlPlanner::ask(const std::string& question, const std::string& language) const {
  SqlAnswer answer;
  answer.written_by = "rules";
  auto sql = state_->generator->write(question, state_->reading(), language);
  if (!sql) {
    answer.is_refused = true;
    answer.reason = sql.error().reason;
    answer.ask = ask_back(sql.error());
    return answer;
  }
  auto run_answer = run(*sql);
  if (run_answer) run_answer->written_by = "rules";
  return run_answer;
}

Result<SqlAnswer> SqlPlanner::run(const std::string& sql) const {
  SqlAnswer answer;
  answer.sql = sql;
  answer.written_by = "user";
  auto database = state_->connect();
  if (!database) return tl::unexpected(database.error());
  auto rows = (*database)->query(sql);
  if (rows) {
    answer.rows = *std::move(rows);
    return answer;
  }
  if (rows.error().code == ErrorCode::Upstream) return tl::unexpected(rows.error());
  answer.is_refused = true;
  answer.reason = rows.error().message;
  return answer;
}

}  // namespace signalbox

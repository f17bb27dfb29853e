#include "sql/sql_planner.h"

#include <fmt/format.h>

#include "base/profiles_folder.h"
#include "model/encoder_choice.h"
#include "sql/model_writer.h"
#include "sql/sql_database.h"
#include "sql/topic.h"

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
  return {doubt.options.empty() ? "clarify" : "choose", doubt.question, doubt.options};
}

}  // namespace

struct SqlPlanner::State {
  SqlPlannerOptions options;
  SqlWords words;
  SqlSchema schema;
  SqlPromptFiles prompt;
  std::unique_ptr<SqlGenerator> generator;

  Result<std::unique_ptr<SqlDatabase>> connect() const {
    return open_sql_database(options.address, options.access, options.http.get());
  }

  DateReading reading() const {
    return {std::chrono::floor<std::chrono::days>(options.clock->wall()), options.calendar_weeks, "en"};
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
  auto prompt = SqlPromptFiles::load(folder);
  if (!prompt) return tl::unexpected(prompt.error());
  state->prompt = *std::move(prompt);
  auto wide = open_sql_database(options.address, describing(options.access), options.http.get());
  if (!wide) return tl::unexpected(wide.error());
  auto schema = describe_database(**wide);
  if (!schema) return tl::unexpected(schema.error());
  state->schema = *std::move(schema);
  if (vector_column(state->schema).table >= 0 && !options.access.encoder) {
    auto encoder = open_encoder("");
    if (encoder) options.access.encoder = *std::move(encoder);
  }
  state->options = std::move(options);
  state->generator =
      std::make_unique<SqlGenerator>(state->schema, state->words, state->options.similarity);
  return std::unique_ptr<SqlPlanner>(new SqlPlanner(std::move(state)));
}

Result<SqlAnswer> SqlPlanner::ask(const std::string& question, const std::string& language,
                                  const std::vector<std::string>& preferred) const {
  auto sql = state_->generator->write(question, state_->reading(), language, preferred);
  if (!sql && state_->options.llm) return ask_model(question, sql.error());
  return run_written(sql);
}

Result<SqlAnswer> SqlPlanner::search(const std::string& question, const std::string& language) const {
  return run_written(state_->generator->search(question, state_->reading(), language));
}

Result<SqlAnswer> SqlPlanner::run_written(const Sure<std::string>& sql) const {
  if (sql) {
    auto answer = run(*sql);
    if (answer) answer->written_by = "rules";
    return answer;
  }
  SqlAnswer refused;
  refused.written_by = "rules";
  refused.is_refused = true;
  refused.reason = sql.error().reason;
  refused.ask = ask_back(sql.error());
  return refused;
}

Result<SqlAnswer> SqlPlanner::ask_model(const std::string& question, const SqlDoubt& doubt) const {
  SqlAnswer answer;
  answer.written_by = "model";
  auto database = state_->connect();
  if (!database) return tl::unexpected(database.error());
  const auto refuse = [&](const std::string& reason) {
    answer.is_refused = true;
    answer.reason = reason;
    answer.ask = ask_back(doubt);
    return answer;
  };
  auto written = write_with_model(*state_->options.llm, state_->schema,
                                  sql_prompt(state_->prompt, state_->schema, question,
                                             state_->reading().today, state_->options.prompt_tokens),
                                  [&](const std::string& sql) { return (*database)->query(sql); });
  if (!written) return tl::unexpected(written.error());
  answer.sql = written->sql;
  answer.llm_calls = written->llm_calls;
  answer.notes = std::move(written->notes);
  if (!written->failure.empty()) {
    // A model that is away leaves the rules' own answer.
    answer.sql.clear();
    answer.notes.push_back("the model did not help: " + written->failure);
    return refuse(doubt.reason);
  }
  if (written->sql.empty()) return refuse(doubt.reason);
  if (!written->refusal.empty()) return refuse(written->refusal);
  answer.rows = std::move(written->rows);
  return answer;
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

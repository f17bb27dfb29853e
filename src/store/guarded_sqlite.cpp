#include "store/guarded_sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>

namespace signalbox {

struct GuardedSqlite::State {
  State(SqliteDatabase opened, SqlAccess granted)
      : database(std::move(opened)), access(std::move(granted)) {
    for (const auto& [table, columns] : access.tables) {
      auto& names = tables[lower_name(table)];
      for (const std::string& column : columns) names.insert(lower_name(column));
    }
  }

  bool allows(std::string_view table, std::string_view column) const {
    const std::string name = lower_name(table);
    if (name.starts_with("sqlite_") || name.starts_with("pragma_")) return false;
    if (tables.empty()) return true;
    const auto found = tables.find(name);
    if (found == tables.end()) return false;
    const std::string wanted = lower_name(column);
    return wanted.empty() || found->second.contains(wanted);
  }

  SqliteDatabase database;
  SqlAccess access;
  std::map<std::string, std::set<std::string>, std::less<>> tables;  // names in lower case
  std::string refusal;       // why the authorizer said no, for people
  bool is_guarding = false;  // our own statements pass
  std::int64_t steps = 0;
  TimePoint until;
  bool is_over = false;
};

namespace {

const char* text_or_empty(const char* text) {
  return text ? text : "";
}

std::string refusal_of(int action, const char* first, const char* second) {
  switch (action) {
    case SQLITE_READ:
      return *text_or_empty(second) ? fmt::format("{}.{} may not be read", text_or_empty(first), second)
                                    : fmt::format("{} may not be read", text_or_empty(first));
    case SQLITE_FUNCTION:
      return fmt::format("the function {} may not be called", text_or_empty(second));
    case SQLITE_RECURSIVE:
      return "a recursive query may not run";
    case SQLITE_PRAGMA:
      return "PRAGMA may not run";
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
      return "ATTACH and DETACH may not run";
    default:
      return "only a query may run: nothing that changes data or settings";
  }
}

int authorize(void* context, int action, const char* first, const char* second, const char*,
              const char* inside) {
  auto& state = *static_cast<GuardedSqlite::State*>(context);
  if (!state.is_guarding) return SQLITE_OK;
  const bool is_allowed =
      action == SQLITE_SELECT ||
      (action == SQLITE_READ && (state.allows(text_or_empty(first), text_or_empty(second)) ||
                                 // What an allowed view reads is the view's business.
                                 (inside && !state.tables.empty() && state.allows(inside, "") &&
                                  !lower_name(text_or_empty(first)).starts_with("sqlite_")))) ||
      (action == SQLITE_FUNCTION && state.access.functions.contains(lower_name(text_or_empty(second))));
  if (is_allowed) return SQLITE_OK;
  if (state.refusal.empty()) state.refusal = refusal_of(action, first, second);
  return SQLITE_DENY;
}

int look(void* context) {
  auto& state = *static_cast<GuardedSqlite::State*>(context);
  state.steps += kSqliteStepsBetweenLooks;
  state.is_over =
      state.steps >= state.access.limits.steps || std::chrono::steady_clock::now() >= state.until;
  return state.is_over ? 1 : 0;
}

void harden(sqlite3* database, const SqlLimits& limits) {
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                      {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0},
                                      // A misspelt "column" is an error, never the text 'column'.
                                      {SQLITE_DBCONFIG_DQS_DML, 0}}) {
    sqlite3_db_config(database, option, value, nullptr);
  }
  const int length = static_cast<int>(std::clamp<std::size_t>(limits.bytes, 1 << 16, 1 << 24));
  for (const auto& [id, value] : {std::pair{SQLITE_LIMIT_LENGTH, length},
                                  {SQLITE_LIMIT_SQL_LENGTH, 1 << 16},
                                  {SQLITE_LIMIT_COLUMN, 1000},
                                  {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                  {SQLITE_LIMIT_COMPOUND_SELECT, 20},
                                  {SQLITE_LIMIT_VDBE_OP, 100'000},
                                  {SQLITE_LIMIT_FUNCTION_ARG, 32},
                                  {SQLITE_LIMIT_ATTACHED, 0},
                                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200},
                                  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                  {SQLITE_LIMIT_WORKER_THREADS, 0}}) {
    sqlite3_limit(database, id, value);
  }
}

// Blanks, comments and semicolons may follow a statement; anything else is another one.
bool is_nothing(std::string_view tail) {
  while (!tail.empty()) {
    if (tail.starts_with("--")) {
      const std::size_t end = tail.find('\n');
      tail.remove_prefix(end == std::string_view::npos ? tail.size() : end);
    } else if (tail.starts_with("/*")) {
      const std::size_t end = tail.find("*/", 2);
      tail.remove_prefix(end == std::string_view::npos ? tail.size() : end + 2);
    } else if (std::string_view(" \t\r\n\f;").find(tail.front()) != std::string_view::npos) {
      tail.remove_prefix(1);
    } else {
      return false;
    }
  }
  return true;
}

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

SqlValue value_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_BLOB:
      return fmt::format("({} bytes)", sqlite3_column_bytes(statement, column));
    default: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      if (!text) return {};
      return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
  }
}

tl::unexpected<Error> refused(const GuardedSqlite::State& state) {
  if (!state.refusal.empty()) return fail(ErrorCode::InvalidInput, "refused: " + state.refusal);
  return fail(ErrorCode::InvalidInput, sqlite3_errmsg(state.database.handle()));
}

Result<Statement> prepared(GuardedSqlite::State& state, std::string_view sql) {
  if (sql.find('\0') != std::string_view::npos)
    return fail(ErrorCode::InvalidInput, "refused: a statement holds no zero bytes");
  state.refusal.clear();
  state.is_guarding = true;
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const int rc = sqlite3_prepare_v2(state.database.handle(), sql.data(), static_cast<int>(sql.size()),
                                    &raw, &tail);
  state.is_guarding = false;
  Statement statement(raw, &sqlite3_finalize);
  if (rc != SQLITE_OK) return refused(state);
  if (!raw) return fail(ErrorCode::InvalidInput, "refused: there is no statement");
  if (!is_nothing(sql.substr(static_cast<std::size_t>(tail - sql.data()))))
    return fail(ErrorCode::InvalidInput, "refused: one statement at a time");
  if (sqlite3_stmt_isexplain(raw) != 0 || sqlite3_stmt_readonly(raw) == 0 ||
      sqlite3_column_count(raw) == 0)
    return fail(ErrorCode::InvalidInput, "refused: only a query may run");
  return statement;
}

// The machine's own program for the statement: none of its transactions may be one that writes.
Result<void> explained(GuardedSqlite::State& state, sqlite3_stmt* statement) {
  const std::string sql = fmt::format("EXPLAIN {}", sqlite3_sql(statement));
  sqlite3_stmt* raw = nullptr;
  const int rc = sqlite3_prepare_v2(state.database.handle(), sql.c_str(), -1, &raw, nullptr);
  const Statement program(raw, &sqlite3_finalize);
  if (rc != SQLITE_OK) return refused(state);
  while (sqlite3_step(raw) == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw, 1));
    const std::string_view opcode = text ? text : "";
    const bool writes = (opcode == "Transaction" && sqlite3_column_int(raw, 3) != 0) ||
                        opcode == "OpenWrite" || opcode == "VUpdate" || opcode == "CreateBtree" ||
                        opcode == "Destroy" || opcode == "JournalMode" || opcode == "Vacuum";
    if (writes) return fail(ErrorCode::InvalidInput, "refused: the statement would write");
  }
  return {};
}

}  // namespace

GuardedSqlite::GuardedSqlite(std::unique_ptr<State> state) : state_(std::move(state)) {
  sqlite3* handle = state_->database.handle();
  sqlite3_set_authorizer(handle, &authorize, state_.get());
  sqlite3_progress_handler(handle, kSqliteStepsBetweenLooks, &look, state_.get());
}

GuardedSqlite::~GuardedSqlite() = default;
GuardedSqlite::GuardedSqlite(GuardedSqlite&&) noexcept = default;
GuardedSqlite& GuardedSqlite::operator=(GuardedSqlite&&) noexcept = default;

Result<GuardedSqlite> GuardedSqlite::open(const std::string& path, SqlAccess access) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec))
    return fail(ErrorCode::NotFound, fmt::format("no database at '{}'", path));
  auto database = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!database) return tl::unexpected(database.error());
  if (auto tried = database->prepare("SELECT count(*) FROM sqlite_schema"); !tried || !tried->step())
    return fail(ErrorCode::InvalidInput, fmt::format("'{}' is no SQLite database", path));
  return over(*std::move(database), std::move(access));
}

Result<GuardedSqlite> GuardedSqlite::over(SqliteDatabase database, SqlAccess access) {
  harden(database.handle(), access.limits);
  add_vector_functions(database.handle(), access.encoder.get());
  if (auto only = database.execute("PRAGMA query_only = ON"); !only)
    return tl::unexpected(only.error());
  return GuardedSqlite(std::make_unique<State>(std::move(database), std::move(access)));
}

Result<void> GuardedSqlite::check(std::string_view sql) {
  state_->steps = 0;
  state_->until = std::chrono::steady_clock::now() + state_->access.limits.time;
  auto statement = prepared(*state_, sql);
  if (!statement) return tl::unexpected(statement.error());
  return explained(*state_, statement->get());
}

Result<SqlRows> GuardedSqlite::query(std::string_view sql) {
  const SqlLimits& limits = state_->access.limits;
  state_->steps = 0;
  state_->is_over = false;
  state_->until = std::chrono::steady_clock::now() + limits.time;
  auto statement = prepared(*state_, sql);
  if (!statement) return tl::unexpected(statement.error());
  if (auto fine = explained(*state_, statement->get()); !fine) return tl::unexpected(fine.error());
  sqlite3_stmt* raw = statement->get();
  SqlRows out;
  const int columns = sqlite3_column_count(raw);
  for (int i = 0; i < columns; ++i)
    out.columns.emplace_back(text_or_empty(sqlite3_column_name(raw, i)));
  std::size_t bytes = 0;
  for (;;) {
    const int rc = sqlite3_step(raw);
    if (rc == SQLITE_DONE) return out;
    if (rc == SQLITE_INTERRUPT)
      return fail(ErrorCode::Timeout, "stopped: the statement ran past its limit");
    if (rc != SQLITE_ROW) return refused(*state_);
    if (out.rows.size() == limits.rows) {
      out.cut = fmt::format("only the first {} rows", limits.rows);
      return out;
    }
    SqlRow row;
    for (int i = 0; i < columns; ++i) {
      row.push_back(value_of(raw, i));
      bytes += sql_value_bytes(row.back());
    }
    if (bytes > limits.bytes) {
      out.cut = fmt::format("only the first {} rows: the answer may hold {} bytes", out.rows.size(),
                            limits.bytes);
      return out;
    }
    out.rows.push_back(std::move(row));
  }
}

std::int64_t GuardedSqlite::steps() const {
  return state_->steps;
}

}  // namespace signalbox

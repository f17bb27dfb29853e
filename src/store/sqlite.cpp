#include "store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace signalbox {
namespace {

ErrorCode code_of(int rc) {
  switch (rc & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::Overloaded;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::Corrupt;
    case SQLITE_CANTOPEN:
      return ErrorCode::NotFound;
    default:
      return ErrorCode::Upstream;
  }
}

tl::unexpected<Error> failure(sqlite3* database, int rc) {
  return fail(code_of(rc),
              fmt::format("SQLite: {}", database ? sqlite3_errmsg(database) : sqlite3_errstr(rc)));
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void SqliteDatabase::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

SqliteStatement& SqliteStatement::bind(int position, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), position, value);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int position, double value) {
  sqlite3_bind_double(statement_.get(), position, value);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int position, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), position, value.empty() ? "" : value.data(), value.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

SqliteStatement& SqliteStatement::bind_bytes(int position, std::span<const std::byte> value) {
  if (value.empty()) {
    sqlite3_bind_zeroblob(statement_.get(), position, 0);
  } else {
    sqlite3_bind_blob64(statement_.get(), position, value.data(), value.size(), SQLITE_TRANSIENT);
  }
  return *this;
}

SqliteStatement& SqliteStatement::bind_null(int position) {
  sqlite3_bind_null(statement_.get(), position);
  return *this;
}

Result<bool> SqliteStatement::step() {
  const int rc = sqlite3_step(statement_.get());
  if (rc == SQLITE_ROW) return true;
  auto error = failure(sqlite3_db_handle(statement_.get()), rc);  // before reset clears it
  sqlite3_reset(statement_.get());
  if (rc == SQLITE_DONE) return false;
  return error;
}

Result<void> SqliteStatement::run() {
  while (true) {
    const auto has_row = step();
    if (!has_row) return tl::unexpected(has_row.error());
    if (!*has_row) return {};
  }
}

void SqliteStatement::reset() {
  sqlite3_reset(statement_.get());
}

std::int64_t SqliteStatement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double SqliteStatement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view SqliteStatement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (!text) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::span<const std::byte> SqliteStatement::bytes(int column) const {
  const auto* blob = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
  if (!blob) return {};
  return {blob, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool SqliteStatement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

int SqliteStatement::columns() const {
  return sqlite3_column_count(statement_.get());
}

std::string_view SqliteStatement::column_name(int column) const {
  return sqlite3_column_name(statement_.get(), column);
}

Result<SqliteDatabase> SqliteDatabase::open(const std::string& path, SqliteMode mode, int busy_ms) {
  sqlite3* raw = nullptr;
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= mode == SqliteMode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (mode == SqliteMode::Create) flags |= SQLITE_OPEN_CREATE;
  const int rc = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  SqliteDatabase database(raw);
  if (rc != SQLITE_OK) return fail(code_of(rc), fmt::format("{}: {}", path, sqlite3_errstr(rc)));
  sqlite3_busy_timeout(raw, busy_ms);
  return database;
}

Result<void> SqliteDatabase::execute(const std::string& sql) {
  const int rc = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (rc != SQLITE_OK) return failure(database_.get(), rc);
  return {};
}

Result<SqliteStatement> SqliteDatabase::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int rc = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                    SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (rc != SQLITE_OK) return failure(database_.get(), rc);
  return SqliteStatement(raw);
}

std::int64_t SqliteDatabase::last_rowid() const {
  return sqlite3_last_insert_rowid(database_.get());
}

std::int64_t SqliteDatabase::changes() const {
  return sqlite3_changes64(database_.get());
}

}  // namespace signalbox

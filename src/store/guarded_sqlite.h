// A SQLite database that can only be asked: what a stranger's statement may do is settled here.
//
// The connection is read-only and defensive; an authorizer admits SELECT over the allow-listed tables,
// columns and functions and nothing else (no PRAGMA, ATTACH, recursion, schema tables); a statement is
// exactly one; SQLite explains it before it runs, and a program that would write is refused; rows,
// bytes, time and steps are bounded. Belongs to one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sql/sql_access.h"
#include "sql/sql_rows.h"
#include "store/sqlite.h"

namespace signalbox {

class GuardedSqlite {
 public:
  struct State;
  // NotFound: no such file. InvalidInput: the file is no database.
  static Result<GuardedSqlite> open(const std::string& path, SqlAccess access);
  // Takes over a database that is open already: the tables of another place, without their rows.
  static Result<GuardedSqlite> over(SqliteDatabase database, SqlAccess access);
  ~GuardedSqlite();
  GuardedSqlite(GuardedSqlite&&) noexcept;
  GuardedSqlite& operator=(GuardedSqlite&&) noexcept;

  // Parses, authorizes and explains, and does not run. InvalidInput: the statement is refused or does
  // not compile; the message says why, in the database's own words where it has some.
  Result<void> check(std::string_view sql);

  // check(), then runs. Rows or bytes over their limit are cut and said to be; over the time or the
  // steps is Timeout.
  Result<SqlRows> query(std::string_view sql);

  // The steps the last query took; never above the limit by more than the distance between two looks.
  std::int64_t steps() const;

 private:
  explicit GuardedSqlite(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// How often the machine's steps are looked at.
inline constexpr std::int64_t kSqliteStepsBetweenLooks = 1000;

// vec_distance_cosine(a, b) over float32 blobs of the same length: 0 the same direction, 2 the
// opposite; NULL for NULL, and an error for anything else.
// embedding(text) is the encoder's vector of a text, where an encoder is given; it must outlive the
// database.
void add_vector_functions(sqlite3* database, const Encoder* encoder);

}  // namespace signalbox

// A database that can be asked, wherever it is: a SQLite or libSQL file, PostgreSQL, remote libSQL.
//
// Whatever the kind, a statement goes through the guard of docs/sql.md: one query, allow-listed tables,
// columns and functions, bounded rows, bytes and time, explained before it runs. A database belongs to
// one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sql/sql_access.h"
#include "sql/sql_rows.h"
#include "sql/sql_schema.h"

namespace signalbox {

class SqlDatabase {
 public:
  virtual ~SqlDatabase() = default;
  // Tables and columns that may be read, and their declared links; neither samples nor found links.
  virtual Result<SqlSchema> tables() = 0;
  // InvalidInput: refused, or not understood by the database, in its own words.
  virtual Result<void> check(std::string_view sql) = 0;
  // check() first. Timeout: it ran past its limit. Upstream: the server failed.
  virtual Result<SqlRows> query(std::string_view sql) = 0;
};

class HttpClient;

// By address: a file (`file:` may stand before it), postgres://…, libsql://… (http:// and https:// are
// taken as libSQL servers too). NotFound, InvalidInput or Upstream when it cannot be opened. `http` is
// needed for remote libSQL alone and must outlive the database.
Result<std::unique_ptr<SqlDatabase>> open_sql_database(const std::string& address, SqlAccess access,
                                                       HttpClient* http = nullptr);

// The address without user, password and token, for people and logs.
std::string shown_database(const std::string& address);

// Everything the generator needs: tables(), samples of their columns, properties of JSON columns, and
// the links that names and values show where none are declared. Asks the database once for each column;
// what it refuses or cannot do in time is left out.
Result<SqlSchema> describe_database(SqlDatabase& database);

}  // namespace signalbox

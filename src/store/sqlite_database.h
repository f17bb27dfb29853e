// A SQLite or libSQL file as a database that can be asked.
#pragma once

#include <memory>

#include "sql/sql_database.h"
#include "store/guarded_sqlite.h"

namespace signalbox {

Result<std::unique_ptr<SqlDatabase>> open_sqlite_database(const std::string& path, SqlAccess access);

// The tables a connection sees, with columns, keys and declared links; those `access` allows.
Result<SqlSchema> read_sqlite_tables(SqliteDatabase& database, const SqlAccess& access);

}  // namespace signalbox

#include "sql/sql_database.h"
#include "store/sqlite_database.h"

namespace signalbox {

Result<std::unique_ptr<SqlDatabase>> open_sql_database(const std::string& address, SqlAccess access,
                                                       HttpClient*) {
  const std::string path = address.starts_with("file:") ? address.substr(5) : address;
  return open_sqlite_database(path, std::move(access));
}

}  // namespace signalbox

#include "net/url.h"
#include "sql/libsql_database.h"
#include "sql/sql_database.h"
#include "store/postgres_database.h"
#include "store/sqlite_database.h"

namespace signalbox {
namespace {

bool is_postgres(const std::string& address) {
  return address.starts_with("postgres://") || address.starts_with("postgresql://");
}

bool is_libsql(const std::string& address) {
  return address.starts_with("libsql://") || address.starts_with("http://") ||
         address.starts_with("https://");
}

}  // namespace

Result<std::unique_ptr<SqlDatabase>> open_sql_database(const std::string& address, SqlAccess access,
                                                       HttpClient* http) {
  if (is_postgres(address)) return open_postgres_database(address, std::move(access));
  if (is_libsql(address)) {
    if (!http) return fail(ErrorCode::InvalidInput, "a remote database needs an HTTP client");
    return open_libsql_database(address, std::move(access), *http);
  }
  return open_sqlite_database(address.starts_with("file:") ? address.substr(5) : address,
                              std::move(access));
}

std::string shown_database(const std::string& address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string::npos) return address;
  std::string shown = address.substr(0, address.find('?'));
  const std::size_t end = shown.find('/', scheme + 3);
  const std::size_t at = shown.substr(0, end).rfind('@');
  if (at != std::string::npos) shown.erase(scheme + 3, at + 1 - scheme - 3);
  return shown;
}

}  // namespace signalbox

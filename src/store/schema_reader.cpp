#include "store/schema_reader.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <filesystem>
#include <memory>

#include "store/sqlite.h"

namespace signalbox {
namespace {

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Rows = std::unique_ptr<PGresult, decltype(&PQclear)>;

constexpr const char* kConnectSeconds = "10";

std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text) c = c == '\n' ? ' ' : c;
  return text;
}

Result<SchemaNames> read_sqlite(const std::string& path) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(path, ec))
    return fail(ErrorCode::NotFound, fmt::format("no database at '{}'", path));
  auto database = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!database) return tl::unexpected(database.error());
  // Shadow tables belong to a virtual one and are of no use to a reader.
  auto query = database->prepare(
      "SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c "
      "WHERE t.schema = 'main' AND t.type IN ('table', 'view', 'virtual') "
      "AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.hidden IN (0, 2, 3) "
      "ORDER BY t.name, c.name");
  if (!query)
    return fail(ErrorCode::InvalidInput,
                fmt::format("'{}' is no SQLite database: {}", path, query.error().message));
  SchemaNames out;
  for (;;) {
    auto row = query->step();
    if (!row) return fail(ErrorCode::InvalidInput, fmt::format("'{}': {}", path, row.error().message));
    if (!*row) return out;
    out[std::string(query->text(0))].emplace_back(query->text(1));
  }
}

Result<Rows> run(PGconn& connection, const char* sql) {
  Rows rows(PQexec(&connection, sql), &PQclear);
  const ExecStatusType status = PQresultStatus(rows.get());
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return rows;
  return fail(ErrorCode::Upstream,
              fmt::format("PostgreSQL: {}", one_line(PQerrorMessage(&connection))));
}

Result<SchemaNames> read_postgres(const std::string& address) {
  const char* const keys[] = {"dbname", "connect_timeout", "application_name", nullptr};
  const char* const values[] = {address.c_str(), kConnectSeconds, "signalbox", nullptr};
  const Connection connection(PQconnectdbParams(keys, values, 1), &PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK)
    return fail(ErrorCode::Upstream,
                fmt::format("PostgreSQL: {}", one_line(PQerrorMessage(connection.get()))));
  if (auto begun = run(*connection, "BEGIN READ ONLY"); !begun) return tl::unexpected(begun.error());
  auto rows = run(*connection,
                  "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname "
                  "       ELSE n.nspname || '.' || c.relname END, a.attname "
                  "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                  "JOIN pg_attribute a ON a.attrelid = c.oid "
                  "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition "
                  "AND n.nspname NOT IN ('pg_catalog', 'information_schema') "
                  "AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%' "
                  "AND a.attnum > 0 AND NOT a.attisdropped "
                  "AND has_column_privilege(c.oid, a.attnum, 'SELECT')");
  if (!rows) return tl::unexpected(rows.error());
  SchemaNames out;
  for (int i = 0; i < PQntuples(rows->get()); ++i)
    out[PQgetvalue(rows->get(), i, 0)].emplace_back(PQgetvalue(rows->get(), i, 1));
  return out;
}

}  // namespace

Result<SchemaNames> read_schema(const std::string& database) {
  if (database.starts_with("postgres://") || database.starts_with("postgresql://"))
    return read_postgres(database);
  return read_sqlite(database);
}

}  // namespace signalbox

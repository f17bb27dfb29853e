#include "store/sqlite_database.h"

#include <algorithm>

namespace signalbox {
namespace {

bool is_allowed(const SqlAccess& access, std::string_view table, std::string_view column) {
  if (access.tables.empty()) return true;
  const std::string wanted = lower_name(column);
  for (const auto& [name, columns] : access.tables) {
    if (lower_name(name) != lower_name(table)) continue;
    return std::any_of(columns.begin(), columns.end(),
                       [&](const std::string& known) { return lower_name(known) == wanted; });
  }
  return false;
}

Result<void> read_columns(SqliteDatabase& database, const SqlAccess& access, SqlSchema& schema) {
  auto query = database.prepare(
      "SELECT t.name, t.type, c.name, c.type, c.pk FROM pragma_table_list t "
      "JOIN pragma_table_xinfo(t.name) c WHERE t.schema = 'main' AND t.type IN ('table', 'view') "
      "AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.hidden IN (0, 2, 3) "
      "ORDER BY t.name, c.cid");
  if (!query) return tl::unexpected(query.error());
  for (;;) {
    auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return {};
    const std::string table(query->text(0));
    if (!is_allowed(access, table, query->text(2))) continue;
    if (schema.tables.empty() || schema.tables.back().name != table) {
      schema.tables.push_back({table, {}, query->text(1) == "view", true});
    }
    SqlColumn column;
    column.name = query->text(2);
    column.type = query->text(3);
    column.kind = kind_of_type(column.type);
    column.is_key = query->integer(4) > 0;
    schema.tables.back().columns.push_back(std::move(column));
  }
}

Result<void> read_links(SqliteDatabase& database, SqlSchema& schema) {
  auto query = database.prepare(
      "SELECT t.name, f.\"from\", f.\"table\", f.\"to\" FROM pragma_table_list t "
      "JOIN pragma_foreign_key_list(t.name) f WHERE t.schema = 'main' ORDER BY t.name, f.id, f.seq");
  if (!query) return tl::unexpected(query.error());
  for (;;) {
    auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return {};
    SqlLink link;
    link.table = schema.find(query->text(0));
    link.to_table = schema.find(query->text(2));
    if (link.table < 0 || link.to_table < 0) continue;
    const SqlTable& to = schema.tables[static_cast<std::size_t>(link.to_table)];
    link.column = schema.tables[static_cast<std::size_t>(link.table)].find(query->text(1));
    link.to_column = query->is_null(3) ? to.key() : to.find(query->text(3));
    if (link.column >= 0 && link.to_column >= 0) schema.links.push_back(link);
  }
}

class SqliteFile : public SqlDatabase {
 public:
  SqliteFile(GuardedSqlite guarded, SqliteDatabase own, SqlAccess access)
      : guarded_(std::move(guarded)), own_(std::move(own)), access_(std::move(access)) {}

  Result<SqlSchema> tables() override { return read_sqlite_tables(own_, access_); }
  Result<void> check(std::string_view sql) override { return guarded_.check(sql); }
  Result<SqlRows> query(std::string_view sql) override { return guarded_.query(sql); }

 private:
  GuardedSqlite guarded_;
  SqliteDatabase own_;  // reads the schema, which no stranger's statement may
  SqlAccess access_;
};

}  // namespace

Result<SqlSchema> read_sqlite_tables(SqliteDatabase& database, const SqlAccess& access) {
  SqlSchema schema;
  if (auto read = read_columns(database, access, schema); !read) return tl::unexpected(read.error());
  if (auto read = read_links(database, schema); !read) return tl::unexpected(read.error());
  return schema;
}

Result<std::unique_ptr<SqlDatabase>> open_sqlite_database(const std::string& path, SqlAccess access) {
  auto guarded = GuardedSqlite::open(path, access);
  if (!guarded) return tl::unexpected(guarded.error());
  auto own = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  if (!own) return tl::unexpected(own.error());
  return std::make_unique<SqliteFile>(*std::move(guarded), *std::move(own), std::move(access));
}

}  // namespace signalbox

// What a database holds: tables, columns with a few of their values, and how the tables hang together.
//
// A value type: read once, then shared by the generator, the prompt and the grammar.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

enum class SqlDialect { Sqlite, Postgres };

enum class SqlKind { Number, Text, Date, Flag, Json, Bytes };

struct SqlColumn {
  std::string name;
  std::string type;  // as declared
  SqlKind kind = SqlKind::Text;
  bool is_key = false;               // declared, or found to be unique and named like one
  std::vector<std::string> samples;  // distinct values, bounded
  bool has_all_samples = false;      // there are no others
  bool is_unique = false;            // among the rows looked at
  std::string inside;                // a property of this JSON column; empty: a column of its own
};

struct SqlTable {
  std::string name;
  std::vector<SqlColumn> columns;
  bool is_view = false;
  bool has_rows = true;

  int find(std::string_view column) const;  // -1: there is none
  int key() const;                          // the only key column; -1: none or several
};

// Many rows of `table` point to one of `to_table`.
struct SqlLink {
  int table = 0;
  int column = 0;
  int to_table = 0;
  int to_column = 0;
  bool operator==(const SqlLink&) const = default;
};

struct SqlSchema {
  SqlDialect dialect = SqlDialect::Sqlite;
  std::vector<SqlTable> tables;
  std::vector<SqlLink> links;

  int find(std::string_view table) const;  // names compare as SQL compares them; -1: there is none
};

// "name", quoted so that no name can end it.
std::string sql_name(std::string_view name);
// 'text', quoted so that no text can end it.
std::string sql_text(std::string_view text);

// A property of a JSON column; `column` is quoted already.
std::string json_reading(std::string_view column, std::string_view property, SqlDialect dialect);

// What a declared type holds: VARCHAR(20), timestamp, bigint, jsonb, …
SqlKind kind_of_type(std::string_view type);

}  // namespace signalbox

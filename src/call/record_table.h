// A table of the user's database as record functions see it: found by the name people use, with its
// columns, the one that names a record, and JSON properties where it has them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"
#include "sql/sql_words.h"
#include "store/sqlite.h"

namespace signalbox {

// How the records of a database are spoken of; profiles say it in their file of functions.
struct RecordWords {
  std::vector<std::string> name_columns{"name",   "title",  "label", "content",
                                        "nombre", "titulo", "nome"};
  std::string type_column = "node_type";  // a table of everything: the kind of a record stands here …
  std::string properties = "properties";  // … and its other fields in JSON here
  std::shared_ptr<const SqlWords> concepts{};  // what else a table or field may be called; or none
};

struct RecordField {
  std::string column;
  std::string property;  // of a JSON column; empty: the column itself
};

struct RecordTable {
  std::string name;
  std::vector<std::string> columns;
  std::string name_column;  // empty: records have no name
  std::string kind;         // of a table of everything: "task"; empty: the whole table
  RecordWords words;

  // A column, or a property where the table has such; empty: it has no field of that name.
  std::optional<RecordField> field(std::string_view said) const;
  bool has_column(std::string_view column) const;
};

// "task", "Tasks" and "the tasks" are the table tasks; where there is none, records of that kind in a
// table of everything. NotFound, whose message lists the tables there are.
Result<RecordTable> find_record_table(SqliteDatabase& database, std::string_view said,
                                      const RecordWords& words);

// As SQL writes a name.
std::string quoted_name(std::string_view name);

}  // namespace signalbox

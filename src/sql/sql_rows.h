// What a query answers: columns and rows of plain values, and what was cut off them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace signalbox {

using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;  // first: NULL
using SqlRow = std::vector<SqlValue>;

struct SqlRows {
  std::vector<std::string> columns;
  std::vector<SqlRow> rows;
  std::string cut;  // why rows are missing ("more than 200 rows"); empty: they are all here
};

// As people read it: NULL is empty, 3.0 stays 3.0.
std::string sql_value_text(const SqlValue& value);

// What a value weighs in an answer.
std::size_t sql_value_bytes(const SqlValue& value);

}  // namespace signalbox

// A query as the generator builds it, and its text in SQL.
//
// Only what can be said without doubt: joins follow links, and where two ways lead from one table to
// another, or a join would count rows twice, the query is refused instead of written. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/sql_dates.h"
#include "sql/sql_doubt.h"
#include "sql/sql_schema.h"

namespace signalbox {

struct ColumnRef {
  int table = -1;
  int column = -1;  // -1: the rows of the table
  bool operator==(const ColumnRef&) const = default;
};

enum class Aggregate { None, Count, Sum, Average, Minimum, Maximum };

struct SqlTerm {
  Aggregate aggregate = Aggregate::None;
  ColumnRef of;
  bool is_distinct = false;
  std::optional<DateGrain> grain;  // the month, quarter or year of a date
  bool operator==(const SqlTerm&) const = default;
};

enum class Compare {
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Like,
  Null,
  NotNull,
  During
};

struct SqlFilter {
  ColumnRef column;
  Compare compare = Compare::Equal;
  std::vector<std::string> values;  // literals as SQL writes them; several: any of them
  DateSpan span;                    // for During
};

struct SqlHaving {
  SqlTerm term;
  Compare compare = Compare::Greater;
  std::string value;
};

struct SqlQuery {
  int subject = -1;  // the table whose rows are asked for
  std::vector<SqlTerm> select;
  std::vector<SqlTerm> groups;
  std::vector<SqlFilter> filters;
  std::vector<SqlHaving> having;
  std::vector<int> with;     // tables that must hold something of the subject
  std::vector<int> without;  // tables that must not
  std::optional<SqlTerm> order;
  bool is_descending = false;
  std::size_t limit = 0;  // 0: none
  bool is_distinct = false;
  std::string topic;  // compared by meaning with `vectors`; empty: none
  ColumnRef vectors;
  double similarity = 0.7;  // what is found lies above it
};

inline constexpr std::size_t kMostFoundByMeaning = 20;

// The columns that name a row to people: its name or title, first and last name; else its key; else
// all.
std::vector<int> display_columns(const SqlSchema& schema, int table);

// InvalidInput: the tables are not linked, are linked in several ways, or a figure would be counted
// twice; the message says which.
Sure<std::string> sql_text_of(const SqlSchema& schema, const SqlQuery& query);

}  // namespace signalbox

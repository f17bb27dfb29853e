#include <fmt/format.h>

#include <boost/json.hpp>

#include "sql/sql_prompt.h"

namespace signalbox {
namespace {

constexpr std::size_t kLongestPattern =
    96 << 10;  // a grammar grows with it, and the time to sample under it

// Only names that stand bare: quotes inside a JSON text would need escapes of their own.
bool is_bare(const std::string& name) {
  return sql_name(name) == name;
}

std::string any_of(const std::vector<std::string>& choices) {
  return fmt::format("({})", fmt::join(choices, "|"));
}

struct Names {
  std::vector<std::string> tables;
  std::vector<std::string> columns;  // table.column
};

Names names_of(const SqlSchema& schema) {
  Names out;
  for (const SqlTable& table : schema.tables) {
    if (!is_bare(table.name)) continue;
    out.tables.push_back(table.name);
    for (const SqlColumn& column : table.columns) {
      if (column.kind == SqlKind::Bytes) continue;
      if (column.inside.empty() && is_bare(column.name))
        out.columns.push_back(table.name + "\\." + column.name);
    }
  }
  return out;
}

}  // namespace

std::string sql_pattern(const SqlSchema& schema) {
  const Names names = names_of(schema);
  if (names.tables.empty() || names.columns.empty()) return "";
  const std::string table = any_of(names.tables);
  const std::string column = any_of(names.columns);
  const std::string number = "-?[0-9]+(\\.[0-9]+)?";
  const std::string text = "'[^'\"\\\\]*'";
  const std::string literal = fmt::format("({}|{})", number, text);
  const std::string figure =
      fmt::format("(COUNT\\(\\*\\)|(COUNT|SUM|AVG|MIN|MAX)\\((DISTINCT )?{}\\))", column);
  const std::string part = fmt::format("(strftime\\('%[YmdW](-%[md])?(-%d)?', {}\\))", column);
  const std::string item = fmt::format("({}|{}|{})", column, figure, part);
  const std::string condition = fmt::format(
      "(NOT )?({0} (=|<>|<|<=|>|>=|LIKE) ({1}|{0})|{0} IN \\({1}(, {1})*\\)|{0} IS (NOT )?NULL|"
      "{0} BETWEEN {1} AND {1})",
      column, literal);
  const std::string conditions = fmt::format("{0}( (AND|OR) {0})*", condition);
  std::string pattern = fmt::format(
      "^(SELECT (DISTINCT )?{0}(, {0})* FROM {1}( (LEFT )?JOIN {1} ON {2} = {2})*( WHERE {3})?"
      "( GROUP BY {2}(, {2})*)?( HAVING {4} (=|<>|<|<=|>|>=) {5})?( ORDER BY {0}( DESC)?(, {0}( "
      "DESC)?)*)?"
      "( LIMIT [0-9]+)?)?$",
      item, table, column, conditions, figure, number);
  return pattern.size() > kLongestPattern ? "" : pattern;
}

std::string sql_answer_schema(const SqlSchema& schema, bool with_pattern) {
  boost::json::object sql{{"type", "string"}};
  const std::string pattern = with_pattern ? sql_pattern(schema) : "";
  if (!pattern.empty()) sql["pattern"] = boost::json::string(pattern);
  return boost::json::serialize(boost::json::object{{"type", "object"},
                                                    {"properties", {{"sql", std::move(sql)}}},
                                                    {"required", {"sql"}},
                                                    {"additionalProperties", false}});
}

}  // namespace signalbox

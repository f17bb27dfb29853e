#include <fmt/format.h>

#include <boost/json.hpp>

#include "sql/sql_prompt.h"

namespace signalbox {
namespace {

// A grammar grows with its pattern, and so does the time to sample under it.
constexpr std::size_t kLongestPattern = 96 << 10;
constexpr std::size_t kLongestTight = 24 << 10;

// Only names that stand bare: quotes inside a JSON text would need escapes of their own.
bool is_bare(const std::string& name) {
  return sql_name(name) == name;
}

std::string any_of(const std::vector<std::string>& choices) {
  return fmt::format("({})", fmt::join(choices, "|"));
}

// The names a query over one table, or over a link of two, may use.
struct Scope {
  std::string from;                  // "orders JOIN customers ON …", as a pattern
  std::vector<std::string> columns;  // table.column
};

void add_columns(const SqlTable& table, std::vector<std::string>& out) {
  for (const SqlColumn& column : table.columns) {
    if (column.kind == SqlKind::Bytes || !column.inside.empty() || !is_bare(column.name)) continue;
    out.push_back(table.name + "\\." + column.name);
  }
}

std::vector<Scope> scopes_of(const SqlSchema& schema) {
  std::vector<Scope> out;
  for (const SqlTable& table : schema.tables) {
    if (!is_bare(table.name)) continue;
    out.push_back({table.name, {}});
    add_columns(table, out.back().columns);
  }
  for (const SqlLink& link : schema.links) {
    const SqlTable& from = schema.tables[static_cast<std::size_t>(link.table)];
    const SqlTable& to = schema.tables[static_cast<std::size_t>(link.to_table)];
    const std::string& column = from.columns[static_cast<std::size_t>(link.column)].name;
    const std::string& key = to.columns[static_cast<std::size_t>(link.to_column)].name;
    if (link.table == link.to_table || !is_bare(from.name) || !is_bare(to.name) || !is_bare(column) ||
        !is_bare(key))
      continue;
    out.push_back(
        {fmt::format("{0} JOIN {1} ON {0}\\.{2} = {1}\\.{3}", from.name, to.name, column, key), {}});
    add_columns(from, out.back().columns);
    add_columns(to, out.back().columns);
  }
  std::erase_if(out, [](const Scope& scope) { return scope.columns.empty(); });
  return out;
}

// Lists are short: a small model that may go on does.
std::string query_pattern(const std::string& column, const std::string& from) {
  const std::string number = "-?[0-9]{1,12}(\\.[0-9]{1,6})?";
  const std::string literal = fmt::format("({}|'[^'\"\\\\]{{0,40}}')", number);
  const std::string figure =
      fmt::format("(COUNT\\(\\*\\)|(COUNT|SUM|AVG|MIN|MAX)\\((DISTINCT )?{}\\))", column);
  const std::string part = fmt::format("strftime\\('%[YmdW](-%[md])?(-%d)?', {}\\)", column);
  const std::string item = fmt::format("({}|{}|{})", column, figure, part);
  const std::string condition = fmt::format(
      "(NOT )?{0} ((=|<>|<|<=|>|>=|LIKE) ({1}|{0})|IN \\({1}(, {1}){{0,5}}\\)|IS (NOT )?NULL|"
      "BETWEEN {1} AND {1})",
      column, literal);
  return fmt::format(
      "SELECT (DISTINCT )?{0}(, {0}){{0,4}} FROM {1}( WHERE {3}( (AND|OR) {3}){{0,3}})?"
      "( GROUP BY {2}(, {2}){{0,2}})?( HAVING {4} (=|<>|<|<=|>|>=) {5})?"
      "( ORDER BY {0}( DESC)?)?( LIMIT [0-9]{{1,3}})?",
      item, from, column, condition, figure, number);
}

// Of a schema too large for a scope a query: any table with any other.
std::string loose_pattern(const std::vector<Scope>& scopes) {
  std::vector<std::string> tables;
  std::vector<std::string> columns;
  for (const Scope& scope : scopes) {
    if (scope.from.find(' ') != std::string::npos) continue;
    tables.push_back(scope.from);
    columns.insert(columns.end(), scope.columns.begin(), scope.columns.end());
  }
  const std::string table = any_of(tables);
  const std::string column = any_of(columns);
  return query_pattern(column,
                       fmt::format("{0}( (LEFT )?JOIN {0} ON {1} = {1}){{0,4}}", table, column));
}

}  // namespace

std::string sql_pattern(const SqlSchema& schema) {
  const std::vector<Scope> scopes = scopes_of(schema);
  if (scopes.empty()) return "";
  std::vector<std::string> queries;
  std::size_t size = 0;
  for (const Scope& scope : scopes) {
    queries.push_back(query_pattern(any_of(scope.columns), scope.from));
    size += queries.back().size();
  }
  const std::string query =
      size > kLongestTight ? loose_pattern(scopes) : fmt::format("({})", fmt::join(queries, "|"));
  const std::string pattern = "^(" + query + ")?$";
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

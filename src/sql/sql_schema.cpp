#include "sql/sql_schema.h"

#include <array>

#include "sql/sql_access.h"

namespace signalbox {
namespace {

std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    if (c != '\0') out += c;
  }
  return out + quote;
}

bool is_plain(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char c : name) {
    const bool fits =
        (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c >= 'A' && c <= 'Z');
    if (!fits) return false;
  }
  return true;
}

// Words of SQL that are no names where they stand bare.
constexpr std::array<std::string_view, 44> kReserved = {
    "all",     "and",  "as",          "between", "by",   "case",   "cast",       "check",  "column",
    "default", "desc", "distinct",    "else",    "end",  "except", "exists",     "from",   "group",
    "having",  "in",   "index",       "is",      "join", "key",    "left",       "like",   "limit",
    "not",     "null", "offset",      "on",      "or",   "order",  "references", "select", "table",
    "then",    "to",   "transaction", "union",   "user", "values", "when",       "where"};

}  // namespace

int SqlTable::find(std::string_view column) const {
  const std::string wanted = lower_name(column);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].inside.empty() && lower_name(columns[i].name) == wanted) return static_cast<int>(i);
  }
  return -1;
}

int SqlTable::key() const {
  int found = -1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].is_key) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

int SqlSchema::find(std::string_view table) const {
  const std::string wanted = lower_name(table);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (lower_name(tables[i].name) == wanted) return static_cast<int>(i);
  }
  return -1;
}

std::string sql_name(std::string_view name) {
  bool is_reserved = false;
  const std::string lower = lower_name(name);
  for (const std::string_view word : kReserved) is_reserved = is_reserved || word == lower;
  return is_plain(name) && !is_reserved ? std::string(name) : quoted(name, '"');
}

std::string sql_text(std::string_view text) {
  return quoted(text, '\'');
}

std::string json_reading(std::string_view column, std::string_view property, SqlDialect dialect) {
  if (dialect == SqlDialect::Postgres) return std::string(column) + " ->> " + sql_text(property);
  return "json_extract(" + std::string(column) + ", " + sql_text("$." + quoted(property, '"')) + ")";
}

SqlKind kind_of_type(std::string_view type) {
  const std::string lower = lower_name(type);
  const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  if (has("json")) return SqlKind::Json;
  if (has("bool")) return SqlKind::Flag;
  if (has("date") || has("timestamp")) return SqlKind::Date;
  if (has("int") || has("real") || has("floa") || has("doub") || has("num") || has("dec") ||
      has("serial") || has("money"))
    return SqlKind::Number;
  if (has("blob") || has("bytea") || has("vector")) return SqlKind::Bytes;
  return SqlKind::Text;
}

}  // namespace signalbox

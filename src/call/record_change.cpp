#include "call/record_change.h"

#include <fmt/format.h>

#include <algorithm>

#include "llm/json_fields.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::text_at;

// `column`, or the value inside its JSON.
std::string read_of(const RecordField& field) {
  if (field.property.empty()) return quoted_name(field.column);
  return fmt::format("json_extract({}, ?)", quoted_name(field.column));
}

struct Where {
  std::string text;
  std::vector<std::string> values;
  std::string said;  // for people
};

void add_condition(Where& where, const RecordField& field, std::string_view value) {
  where.text += where.text.empty() ? " WHERE " : " AND ";
  if (!field.property.empty()) where.values.push_back("$." + field.property);
  where.text += fmt::format("{} = ? COLLATE NOCASE", read_of(field));
  where.values.emplace_back(value);
  where.said += fmt::format("{}{} = \"{}\"", where.said.empty() ? "" : ", ",
                            field.property.empty() ? field.column : field.property, value);
}

// The records meant: by name, or by a field that has a value. InvalidInput: all of them is never meant.
Result<Where> where_of(const RecordTable& table, const json::object& arguments,
                       std::string_view field_key, std::string_view value_key, const Telling& telling) {
  Where out;
  if (!table.kind.empty()) {
    out.text = fmt::format(" WHERE {} = ?", quoted_name(table.words.type_column));
    out.values.push_back(table.kind);
  }
  const std::size_t before = out.values.size();
  if (const std::string_view name = text_at(arguments, "name"); !name.empty()) {
    if (table.name_column.empty()) return telling.wrong("no_name", {{"table", table.name}});
    add_condition(out, {table.name_column, ""}, name);
  }
  const std::string_view key = text_at(arguments, field_key);
  const std::string_view value = text_at(arguments, value_key);
  if (!key.empty() && !value.empty()) {
    const auto field = table.field(key);
    if (!field) return telling.wrong("no_field", {{"table", table.name}, {"field", std::string(key)}});
    add_condition(out, *field, value);
  }
  if (out.values.size() == before) return telling.wrong("which_records", {{"table", table.name}});
  return out;
}

// Letters, digits and underscores, as a column is called: "due date" is due_date.
std::string column_name(std::string_view said) {
  std::string out;
  for (const char c : fold(said)) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                         (static_cast<unsigned char>(c) & 0x80U) != 0;
    if (is_word)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

Result<RecordChange> plan_create_schema(SqliteDatabase& database, const json::object& arguments,
                                        const RecordWords& words, const Telling& telling) {
  const std::string table = column_name(text_at(arguments, "table"));
  if (table.empty()) return telling.wrong("table_name_needed");
  if (find_record_table(database, table, words))
    return telling.wrong("table_exists", {{"table", table}});
  const json::array* fields = json_fields::array_at(arguments, "fields");
  std::vector<std::string> columns;
  bool has_id = false;
  for (const json::value& field : fields ? *fields : json::array()) {
    const std::string column = field.is_string() ? column_name(field.get_string()) : "";
    if (column.empty() || std::find(columns.begin(), columns.end(), column) != columns.end()) continue;
    has_id = has_id || column == "id";
    columns.push_back(column);
  }
  if (columns.empty()) return telling.wrong("fields_needed", {{"table", table}});
  std::string body = has_id ? "" : "\"id\" INTEGER PRIMARY KEY";
  for (const std::string& column : columns)
    body += fmt::format("{}{} {}", body.empty() ? "" : ", ", quoted_name(column),
                        column == "id" ? "INTEGER PRIMARY KEY" : "TEXT");
  RecordChange out;
  out.statement = fmt::format("CREATE TABLE {} ({})", quoted_name(table), body);
  out.words = {{"table", table}, {"fields", fmt::format("{}", fmt::join(columns, ", "))}};
  return out;
}

Result<RecordChange> plan_create(const RecordTable& table, const json::object& arguments,
                                 const Telling& telling) {
  const std::string_view name = text_at(arguments, "name");
  std::vector<std::string> columns;
  RecordChange out;
  const auto set = [&](const std::string& column, std::string_view value) {
    columns.push_back(quoted_name(column));
    out.values.emplace_back(value);
  };
  if (!table.kind.empty()) set(table.words.type_column, table.kind);
  if (!name.empty()) {
    if (table.name_column.empty()) return telling.wrong("no_name", {{"table", table.name}});
    set(table.name_column, name);
  }
  const std::string_view key = text_at(arguments, "field");
  if (const std::string_view value = text_at(arguments, "value"); !key.empty() && !value.empty()) {
    const auto field = table.field(key);
    if (!field) return telling.wrong("no_field", {{"table", table.name}, {"field", std::string(key)}});
    if (field->property.empty())
      set(field->column, value);
    else
      set(field->column, json::serialize(json::object{{field->property, value}}));
  }
  if (out.values.empty()) return telling.wrong("record_empty", {{"table", table.name}});
  std::string marks;
  for (std::size_t i = 0; i < columns.size(); ++i) marks += i == 0 ? "?" : ", ?";
  out.statement = fmt::format("INSERT INTO {} ({}) VALUES ({})", quoted_name(table.name),
                              fmt::join(columns, ", "), marks);
  out.words = {{"table", table.name}, {"name", std::string(name)}};
  return out;
}

Result<RecordChange> plan_update(const RecordTable& table, const json::object& arguments,
                                 const Telling& telling) {
  const auto field = table.field(text_at(arguments, "field"));
  if (!field)
    return telling.wrong("no_field",
                         {{"table", table.name}, {"field", std::string(text_at(arguments, "field"))}});
  auto where = where_of(table, arguments, "where_field", "where_value", telling);
  if (!where) return tl::unexpected(where.error());
  RecordChange out;
  const std::string column = quoted_name(field->column);
  if (field->property.empty()) {
    out.statement = fmt::format("UPDATE {} SET {} = ?", quoted_name(table.name), column);
  } else {
    out.statement = fmt::format("UPDATE {} SET {} = json_set(coalesce({}, '{{}}'), ?, ?)",
                                quoted_name(table.name), column, column);
    out.values.push_back("$." + field->property);
  }
  out.statement += where->text;
  out.values.emplace_back(text_at(arguments, "value"));
  out.values.insert(out.values.end(), where->values.begin(), where->values.end());
  out.count = fmt::format("SELECT count(*) FROM {}{}", quoted_name(table.name), where->text);
  out.count_values = where->values;
  out.words = {{"table", table.name},
               {"where", where->said},
               {"field", field->property.empty() ? field->column : field->property},
               {"value", std::string(text_at(arguments, "value"))}};
  return out;
}

Result<RecordChange> plan_delete(const RecordTable& table, const json::object& arguments,
                                 const Telling& telling) {
  auto where = where_of(table, arguments, "field", "value", telling);
  if (!where) return tl::unexpected(where.error());
  RecordChange out;
  out.statement = fmt::format("DELETE FROM {}{}", quoted_name(table.name), where->text);
  out.values = out.count_values = where->values;
  out.count = fmt::format("SELECT count(*) FROM {}{}", quoted_name(table.name), where->text);
  out.words = {{"table", table.name}, {"where", where->said}};
  return out;
}

}  // namespace

Result<RecordChange> plan_change(SqliteDatabase& database, const std::string& kind,
                                 const json::object& arguments, const RecordWords& words,
                                 const Telling& telling) {
  if (kind == "create_schema") return plan_create_schema(database, arguments, words, telling);
  auto table = find_record_table(database, text_at(arguments, "table"), words);
  if (!table && table.error().code != ErrorCode::NotFound) return tl::unexpected(table.error());
  if (!table)
    return telling.wrong("no_table", {{"table", std::string(text_at(arguments, "table"))},
                                      {"tables", table.error().message}});
  if (kind == "create_record") return plan_create(*table, arguments, telling);
  if (kind == "update_record") return plan_update(*table, arguments, telling);
  if (kind == "delete_record") return plan_delete(*table, arguments, telling);
  return fail(ErrorCode::NotFound, fmt::format("there is no built-in {}", kind));
}

}  // namespace signalbox

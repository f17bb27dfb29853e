#include "call/record_functions.h"

#include <fmt/format.h>

#include "call/schema_check.h"
#include "llm/json_fields.h"
#include "normalize/fold.h"

namespace signalbox {

namespace json = boost::json;
using json_fields::text_at;

namespace {

tl::unexpected<Error> wrong(std::string what) {
  return fail(ErrorCode::InvalidInput, std::move(what));
}

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
                       std::string_view field_key, std::string_view value_key) {
  Where out;
  if (!table.kind.empty()) {
    out.text = fmt::format(" WHERE {} = ?", quoted_name(table.words.type_column));
    out.values.push_back(table.kind);
  }
  const std::size_t before = out.values.size();
  if (const std::string_view name = text_at(arguments, "name"); !name.empty()) {
    if (table.name_column.empty()) return wrong(fmt::format("records of {} have no name", table.name));
    add_condition(out, {table.name_column, ""}, name);
  }
  const std::string_view key = text_at(arguments, field_key);
  const std::string_view value = text_at(arguments, value_key);
  if (!key.empty() && !value.empty()) {
    const auto field = table.field(key);
    if (!field) return wrong(fmt::format("{} has no field '{}'", table.name, key));
    add_condition(out, *field, value);
  }
  if (out.values.size() == before)
    return wrong(fmt::format("which records of {} are meant was not said", table.name));
  return out;
}

Result<std::int64_t> counted(SqliteDatabase& database, const std::string& sql,
                             const std::vector<std::string>& values) {
  auto query = database.prepare(sql);
  if (!query) return tl::unexpected(query.error());
  for (std::size_t i = 0; i < values.size(); ++i) query->bind(static_cast<int>(i + 1), values[i]);
  auto row = query->step();
  if (!row) return tl::unexpected(row.error());
  return query->integer(0);
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

}  // namespace

RecordFunctions::RecordFunctions(std::string database, const SlotWords& texts, RecordWords words)
    : database_(std::move(database)), texts_(texts), words_(std::move(words)) {}

namespace {

// One statement with its values, and the count of what it touches.
struct Planned {
  std::string statement;
  std::vector<std::string> values;
  std::string count;  // a statement; empty: nothing that is there is touched
  std::vector<std::string> count_values;
  std::map<std::string, std::string> words;  // of the texts
};

Result<Planned> plan_create_schema(SqliteDatabase& database, const json::object& arguments,
                                   const RecordWords& words) {
  const std::string table = column_name(text_at(arguments, "table"));
  if (table.empty()) return wrong("a table needs a name of letters");
  if (find_record_table(database, table, words))
    return wrong(fmt::format("there is a table {} already", table));
  const json::array* fields = json_fields::array_at(arguments, "fields");
  std::vector<std::string> columns;
  bool has_id = false;
  for (const json::value& field : fields ? *fields : json::array()) {
    const std::string column = field.is_string() ? column_name(field.get_string()) : "";
    if (column.empty() || std::find(columns.begin(), columns.end(), column) != columns.end()) continue;
    has_id = has_id || column == "id";
    columns.push_back(column);
  }
  if (columns.empty()) return wrong(fmt::format("{} needs at least one field", table));
  std::string body = has_id ? "" : "\"id\" INTEGER PRIMARY KEY";
  for (const std::string& column : columns)
    body += fmt::format("{}{} {}", body.empty() ? "" : ", ", quoted_name(column),
                        column == "id" ? "INTEGER PRIMARY KEY" : "TEXT");
  Planned out;
  out.statement = fmt::format("CREATE TABLE {} ({})", quoted_name(table), body);
  out.words = {{"table", table}, {"fields", fmt::format("{}", fmt::join(columns, ", "))}};
  return out;
}

Result<Planned> plan_create(const RecordTable& table, const json::object& arguments) {
  const std::string_view name = text_at(arguments, "name");
  std::vector<std::string> columns;
  Planned out;
  const auto set = [&](const std::string& column, std::string_view value) {
    columns.push_back(quoted_name(column));
    out.values.emplace_back(value);
  };
  if (!table.kind.empty()) set(table.words.type_column, table.kind);
  if (!name.empty()) {
    if (table.name_column.empty()) return wrong(fmt::format("records of {} have no name", table.name));
    set(table.name_column, name);
  }
  const std::string_view key = text_at(arguments, "field");
  if (const std::string_view value = text_at(arguments, "value"); !key.empty() && !value.empty()) {
    const auto field = table.field(key);
    if (!field) return wrong(fmt::format("{} has no field '{}'", table.name, key));
    if (field->property.empty())
      set(field->column, value);
    else
      set(field->column, json::serialize(json::object{{field->property, value}}));
  }
  if (out.values.empty())
    return wrong(fmt::format("what the new record of {} holds was not said", table.name));
  std::string marks;
  for (std::size_t i = 0; i < columns.size(); ++i) marks += i == 0 ? "?" : ", ?";
  out.statement = fmt::format("INSERT INTO {} ({}) VALUES ({})", quoted_name(table.name),
                              fmt::join(columns, ", "), marks);
  out.words = {{"table", table.name}, {"name", std::string(name)}};
  return out;
}

Result<Planned> plan_update(const RecordTable& table, const json::object& arguments) {
  const auto field = table.field(text_at(arguments, "field"));
  if (!field)
    return wrong(fmt::format("{} has no field '{}'", table.name, text_at(arguments, "field")));
  auto where = where_of(table, arguments, "where_field", "where_value");
  if (!where) return tl::unexpected(where.error());
  Planned out;
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

Result<Planned> plan_delete(const RecordTable& table, const json::object& arguments) {
  auto where = where_of(table, arguments, "field", "value");
  if (!where) return tl::unexpected(where.error());
  Planned out;
  out.statement = fmt::format("DELETE FROM {}{}", quoted_name(table.name), where->text);
  out.values = out.count_values = where->values;
  out.count = fmt::format("SELECT count(*) FROM {}{}", quoted_name(table.name), where->text);
  out.words = {{"table", table.name}, {"where", where->said}};
  return out;
}

Result<Planned> planned(SqliteDatabase& database, const std::string& kind,
                        const json::object& arguments, const RecordWords& words) {
  if (kind == "create_schema") return plan_create_schema(database, arguments, words);
  auto table = find_record_table(database, text_at(arguments, "table"), words);
  if (!table) return wrong(table.error().message);
  if (kind == "create_record") return plan_create(*table, arguments);
  if (kind == "update_record") return plan_update(*table, arguments);
  if (kind == "delete_record") return plan_delete(*table, arguments);
  return wrong(fmt::format("there is no built-in {}", kind));
}

}  // namespace

Result<CallPreview> RecordFunctions::preview(const Function& function, const json::object& arguments,
                                             const CallPlace& place) {
  auto database = SqliteDatabase::open(database_, SqliteMode::ReadOnly);
  if (!database) return tl::unexpected(database.error());
  const std::string& kind = function.handler.name;
  auto change = planned(*database, kind, arguments, words_);
  if (!change) return tl::unexpected(change.error());
  CallPreview out;
  out.statement = change->statement;
  out.rows = kind == "create_record" ? 1 : 0;
  if (!change->count.empty()) {
    auto rows = counted(*database, change->count, change->count_values);
    if (!rows) return tl::unexpected(rows.error());
    out.rows = *rows;
    if (out.rows == 0)
      return wrong(
          fmt::format("no record of {} matches {}", change->words["table"], change->words["where"]));
  }
  change->words["rows"] = std::to_string(out.rows);
  out.text = texts_.text("preview_" + kind, place.language, change->words);
  return out;
}

Result<CallResult> RecordFunctions::run(const Function& function, const json::object& arguments,
                                        const CallPreview& previewed, const CallPlace& place) {
  auto database = SqliteDatabase::open(database_, SqliteMode::ReadWrite);
  if (!database) return tl::unexpected(database.error());
  const std::string& kind = function.handler.name;
  auto change = planned(*database, kind, arguments, words_);
  if (!change) return tl::unexpected(change.error());
  if (change->statement != previewed.statement)
    return wrong("this is not what was confirmed; nothing was changed");
  if (auto begun = database->execute("BEGIN IMMEDIATE"); !begun) return tl::unexpected(begun.error());
  const auto undo = [&](Error error) -> Result<CallResult> {
    (void)database->execute("ROLLBACK");
    return tl::unexpected(std::move(error));
  };
  auto statement = database->prepare(change->statement);
  if (!statement) return undo(statement.error());
  for (std::size_t i = 0; i < change->values.size(); ++i)
    statement->bind(static_cast<int>(i + 1), change->values[i]);
  if (auto done = statement->run(); !done) return undo(done.error());
  const std::int64_t rows = kind == "create_schema" ? 0 : database->changes();
  if (rows != previewed.rows)
    return undo({ErrorCode::InvalidInput,
                 fmt::format("{} records would change and {} were confirmed; nothing was changed", rows,
                             previewed.rows)});
  if (auto done = database->execute("COMMIT"); !done) return undo(done.error());
  change->words["rows"] = std::to_string(rows);
  CallResult out;
  out.text = texts_.text("done_" + kind, place.language, change->words);
  out.data = json::object{{"rows", rows}, {"statement", change->statement}};
  out.is_sql = out.is_validated = true;  // its names are the schema's, its values are bound
  return out;
}

}  // namespace signalbox

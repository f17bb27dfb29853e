#include "call/record_functions.h"

#include "call/record_change.h"

namespace signalbox {

namespace json = boost::json;

namespace {

Result<std::int64_t> counted(SqliteDatabase& database, const std::string& sql,
                             const std::vector<std::string>& values) {
  auto query = database.prepare(sql);
  if (!query) return tl::unexpected(query.error());
  for (std::size_t i = 0; i < values.size(); ++i) query->bind(static_cast<int>(i + 1), values[i]);
  auto row = query->step();
  if (!row) return tl::unexpected(row.error());
  return query->integer(0);
}

}  // namespace

RecordFunctions::RecordFunctions(std::string database, const SlotWords& texts, RecordWords words)
    : database_(std::move(database)), texts_(texts), words_(std::move(words)) {}

Result<CallPreview> RecordFunctions::preview(const Function& function, const json::object& arguments,
                                             const CallPlace& place) {
  auto database = SqliteDatabase::open(database_, SqliteMode::ReadOnly);
  if (!database) return tl::unexpected(database.error());
  const std::string& kind = function.handler.name;
  const Telling telling{texts_, place.language};
  auto change = plan_change(*database, kind, arguments, words_, telling);
  if (!change) return tl::unexpected(change.error());
  CallPreview out;
  out.statement = change->statement;
  out.rows = kind == "create_record" ? 1 : 0;
  if (!change->count.empty()) {
    auto rows = counted(*database, change->count, change->count_values);
    if (!rows) return tl::unexpected(rows.error());
    out.rows = *rows;
    if (out.rows == 0) return telling.wrong("no_match", change->words);
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
  const Telling telling{texts_, place.language};
  auto change = plan_change(*database, kind, arguments, words_, telling);
  if (!change) return tl::unexpected(change.error());
  if (change->statement != previewed.statement) return telling.wrong("not_confirmed");
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
    return undo(telling
                    .wrong("rows_differ", {{"rows", std::to_string(rows)},
                                           {"confirmed", std::to_string(previewed.rows)}})
                    .value());
  if (auto done = database->execute("COMMIT"); !done) return undo(done.error());
  change->words["rows"] = std::to_string(rows);
  CallResult out;
  out.text = texts_.text("done_" + kind, place.language, change->words);
  out.data = json::object{{"rows", rows}, {"statement", change->statement}};
  out.is_sql = out.is_validated = true;  // its names are the schema's, its values are bound
  return out;
}

}  // namespace signalbox

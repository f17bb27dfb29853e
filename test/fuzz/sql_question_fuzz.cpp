// Bytes as a question to a small database: a statement that its guard admits, or a refusal; never a
// crash.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "sql/sql_generator.h"
#include "store/guarded_sqlite.h"
#include "store/sqlite_database.h"

namespace {

using namespace signalbox;

struct Desk {
  SqlWords words;
  SqlSchema schema;
  std::unique_ptr<SqlGenerator> generator;
  std::unique_ptr<GuardedSqlite> guard;
};

Desk& desk() {
  static Desk made = [] {
    Desk out;
    const std::string folder = std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/common/";
    out.words = *SqlWords::load(folder + "sql_words.yaml");
    auto database = *SqliteDatabase::open(":memory:", SqliteMode::Create);
    if (!database.execute(
            "CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, country TEXT, joined_on DATE);"
            "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers(id), "
            "total REAL, status TEXT, "
            "order_date DATE);"))
      std::abort();
    SqlAccess access;
    access.functions = *load_sql_functions(folder + "sql.yaml");
    out.schema = *read_sqlite_tables(database, access);
    for (SqlTable& table : out.schema.tables) {
      for (SqlColumn& column : table.columns) {
        if (column.kind == SqlKind::Text) column.samples = {"open", "O'Neill", "Rio de Janeiro"};
      }
    }
    out.guard = std::make_unique<GuardedSqlite>(*GuardedSqlite::over(std::move(database), access));
    return out;
  }();
  if (!made.generator) made.generator = std::make_unique<SqlGenerator>(made.schema, made.words);
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string question(reinterpret_cast<const char*>(data), size);
  const DateReading reading{*parse_day("2024-05-15"), true, "en"};
  for (const char* language : {"en", "es", "pt"}) {
    const auto sql = desk().generator->write(question, reading, language);
    if (sql && !desk().guard->check(*sql)) std::abort();
    if (!sql && sql.error().reason.empty()) std::abort();
  }
  return 0;
}

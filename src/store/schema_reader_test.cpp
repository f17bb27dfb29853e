#include "store/schema_reader.h"

#include <gtest/gtest.h>

#include <fstream>

#include "store/sqlite.h"
#include "test/fakes/postgres_server.h"

namespace signalbox {
namespace {

using Columns = std::vector<std::string>;

TEST(SchemaReader, ReadsTablesAndViewsOfASqliteFile) {
  const TempFolder folder;
  const std::string path = (folder.path() / "shop.db").string();
  {
    auto db = SqliteDatabase::open(path, SqliteMode::Create);
    ASSERT_TRUE(db) << db.error().message;
    ASSERT_TRUE(
        db->execute("CREATE TABLE orders(id INTEGER PRIMARY KEY AUTOINCREMENT, total REAL,"
                    " doubled REAL GENERATED ALWAYS AS (total * 2));"
                    "CREATE TABLE \"order items\"(sku TEXT, n INT);"
                    "CREATE VIEW big_orders AS SELECT id FROM orders WHERE total > 100;"
                    "CREATE VIRTUAL TABLE notes USING fts5(body);"
                    "INSERT INTO orders(total) VALUES (1);"));
  }
  const auto schema = read_schema(path);
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(schema->at("orders"), (Columns{"doubled", "id", "total"}));
  EXPECT_EQ(schema->at("order items"), (Columns{"n", "sku"}));
  EXPECT_EQ(schema->at("big_orders"), Columns{"id"});
  EXPECT_EQ(schema->at("notes"), Columns{"body"});
  EXPECT_EQ(schema->size(), 4U);  // neither sqlite_sequence nor the tables behind `notes`
}

TEST(SchemaReader, SaysWhatIsNoDatabase) {
  const TempFolder folder;
  EXPECT_EQ(read_schema((folder.path() / "none.db").string()).error().code, ErrorCode::NotFound);
  const std::string path = (folder.path() / "text.db").string();
  std::ofstream(path)
      << "this is a plain text file, and long enough to be read as a header of a database";
  EXPECT_EQ(read_schema(path).error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(read_schema("postgres://nobody@127.0.0.1:1/none").error().code, ErrorCode::Upstream);
}

TEST(SchemaReader, ReadsTablesAndViewsOfAPostgresServer) {
  const TempFolder folder;
  PostgresServer server(folder.path());
  if (!server.is_up()) GTEST_SKIP() << "no PostgreSQL server could be started here (initdb, pg_ctl)";
  ASSERT_TRUE(server.sql(
      "CREATE TABLE orders(id serial PRIMARY KEY, total numeric, gone int);"
      "ALTER TABLE orders DROP COLUMN gone;"
      "CREATE VIEW big_orders AS SELECT id FROM orders WHERE total > 100;"
      "CREATE SCHEMA hr; CREATE TABLE hr.staff(name text, salary int);"
      "CREATE TABLE log(day date, line text) PARTITION BY RANGE (day);"
      "CREATE TABLE log_24 PARTITION OF log FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');"));
  const auto schema = read_schema(server.address());
  ASSERT_TRUE(schema) << schema.error().message;
  ASSERT_EQ(schema->size(), 4U);
  Columns orders = schema->at("orders");
  std::sort(orders.begin(), orders.end());
  EXPECT_EQ(orders, (Columns{"id", "total"}));
  EXPECT_EQ(schema->at("big_orders"), Columns{"id"});
  EXPECT_EQ(schema->at("hr.staff").size(), 2U);
  EXPECT_TRUE(schema->contains("log"));
}

}  // namespace
}  // namespace signalbox

#include "store/postgres_database.h"

#include <gtest/gtest.h>

#include "test/fakes/postgres_server.h"

namespace signalbox {
namespace {

constexpr const char* kShop =
    "CREATE TABLE customers(id int PRIMARY KEY, name text, password text);"
    "CREATE TABLE orders(id int PRIMARY KEY, customer_id int REFERENCES customers(id), total numeric, "
    "placed date);"
    "CREATE TABLE secrets(token text);"
    "INSERT INTO customers VALUES (1, 'Ada', 'a'), (2, 'Bo', 'b');"
    "INSERT INTO orders SELECT i, i % 2 + 1, i * 1.5, date '2024-01-01' + i FROM generate_series(1, "
    "300) i;"
    "INSERT INTO secrets VALUES ('alpha');";

SqlAccess shop_access() {
  SqlAccess access;
  access.tables = {{"customers", {"id", "name"}}, {"orders", {"id", "customer_id", "total", "placed"}}};
  auto functions = load_sql_functions(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/common/sql.yaml");
  EXPECT_TRUE(functions);
  if (functions) access.functions = *std::move(functions);
  access.limits.rows = 50;
  access.limits.time = std::chrono::milliseconds(500);
  return access;
}

// One server serves all: starting one takes seconds.
TEST(PostgresDatabase, AnswersQueriesAndNothingElse) {
  const TempFolder folder;
  PostgresServer server(folder.path());
  if (!server.is_up()) GTEST_SKIP() << "no PostgreSQL server could be started here (initdb, pg_ctl)";
  ASSERT_TRUE(server.sql(kShop));
  auto opened = open_postgres_database(server.address(), shop_access());
  ASSERT_TRUE(opened) << opened.error().message;
  SqlDatabase& database = **opened;

  auto schema = database.tables();
  ASSERT_TRUE(schema) << schema.error().message;
  ASSERT_EQ(schema->tables.size(), 2U);
  EXPECT_EQ(schema->tables[0].find("password"), -1);
  ASSERT_EQ(schema->links.size(), 1U);
  EXPECT_EQ(schema->links[0].table, schema->find("orders"));

  const auto rows = database.query(
      "SELECT name, count(*) AS n, sum(total) FROM orders JOIN customers ON customers.id = customer_id "
      "GROUP BY name ORDER BY name");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->columns, (std::vector<std::string>{"name", "n", "sum"}));
  EXPECT_EQ(rows->rows[0], (SqlRow{std::string("Ada"), std::int64_t{150}, 33975.0}));
  EXPECT_EQ(database.query("SELECT id FROM orders")->cut, "only the first 50 rows");

  for (const char* attack :
       {"DELETE FROM orders",
        "WITH x AS (DELETE FROM orders RETURNING id) SELECT id FROM x",
        "SELECT 1; DELETE FROM orders",
        "SELECT password FROM customers",
        "SELECT * FROM customers",
        "SELECT customers FROM customers",
        "SELECT token FROM secrets",
        "SELECT pg_sleep(10)",
        "SELECT set_config('role', 'postgres', false)",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT rolname FROM pg_roles",
        "SELECT id FROM orders FOR UPDATE",
        "SELECT id INTO copy FROM orders",
        "COPY orders TO '/tmp/x'",
        "DO $$ BEGIN DELETE FROM orders; END $$",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "SELECT \"pg_sleep\"(1)",
        "SELECT pg_catalog.pg_sleep(1)",
        "EXPLAIN SELECT 1",
        "SELECT query_to_xml('SELECT 1', true, true, '')",
        "SELECT count(*) FROM orders a, orders b, orders c, orders d"}) {
    EXPECT_FALSE(database.query(attack)) << attack;
  }
  EXPECT_EQ(std::get<std::int64_t>(database.query("SELECT count(*) FROM orders")->rows[0][0]), 300);
  EXPECT_EQ(database.query("SELECT count(*) FROM orders a, orders b, orders c, orders d").error().code,
            ErrorCode::Timeout);
}

TEST(PostgresDatabase, AServerThatIsNotThereIsSaidToBeAway) {
  EXPECT_EQ(open_postgres_database("postgres://nobody@127.0.0.1:1/none", {}).error().code,
            ErrorCode::Upstream);
}

}  // namespace
}  // namespace signalbox

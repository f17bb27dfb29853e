#include "store/sqlite.h"
#include "test/fakes/serving_case.h"

namespace signalbox {
namespace {

class SqlApiTest : public ServingCase {
 protected:
  void SetUp() override {
    auto database = SqliteDatabase::open((folder / "shop.db").string(), SqliteMode::Create);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute(
        "CREATE TABLE orders(id INTEGER PRIMARY KEY, status TEXT, total REAL); CREATE TABLE "
        "secrets(token TEXT);"
        "INSERT INTO orders VALUES (1, 'open', 5), (2, 'open', 7), (3, 'closed', 9);"));
    write("tables.json", R"({"orders": ["id", "status", "total"]})");
    write("desk.yaml", std::string(kDesk) +
                           "databases:\n  shop: {address: shop.db, allowlist: tables.json}\n  gone: "
                           "{address: none.db}\n");
    start();
  }
};

TEST_F(SqlApiTest, AQuestionIsAnsweredWithItsStatementAndRows) {
  const auto heard = post("/v1/sql", R"({"query": "how many open orders are there?", "db": "shop"})");
  ASSERT_EQ(heard.status, 200) << heard.body;
  const json::value answer = json_of(heard);
  EXPECT_EQ(answer.at("sql"),
            "SELECT COUNT(*) AS count_orders FROM orders WHERE orders.status = 'open'");
  EXPECT_EQ(answer.at("rows").at(0).at(0), 2);
  EXPECT_EQ(answer.at("refused"), false);
  EXPECT_EQ(answer.at("written_by"), "rules");
}

TEST_F(SqlApiTest, AnEditedStatementGoesThroughTheGuard) {
  EXPECT_EQ(
      json_of(post("/v1/sql", R"({"sql": "SELECT max(total) FROM orders"})")).at("rows").at(0).at(0),
      9);
  for (const char* attack :
       {"DELETE FROM orders", "SELECT token FROM secrets", "SELECT 1; DROP TABLE orders"}) {
    const json::value answer = json_of(post("/v1/sql", json::serialize(json::object{{"sql", attack}})));
    EXPECT_EQ(answer.at("refused"), true) << attack;
    EXPECT_TRUE(answer.at("reason").is_string());
  }
}

TEST_F(SqlApiTest, WhatCannotBeAskedHasACode) {
  EXPECT_EQ(code_of(post("/v1/sql", "{}")), "invalid_input");
  EXPECT_EQ(code_of(post("/v1/sql", R"({"query": "x", "sql": "SELECT 1"})")), "invalid_input");
  EXPECT_EQ(code_of(post("/v1/sql", R"({"query": 7})")), "invalid_input");
  EXPECT_EQ(post("/v1/sql", R"({"query": "how many orders?", "db": "other"})").status, 404);
  EXPECT_EQ(post("/v1/sql", R"({"query": "how many orders?", "db": "gone"})").status, 404);
}

}  // namespace
}  // namespace signalbox

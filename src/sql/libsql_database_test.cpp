#include "sql/libsql_database.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "net/asio_http_client.h"
#include "test/fakes/libsql_server.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

class LibsqlDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    scratch_.make(
        "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE album(id INTEGER PRIMARY KEY, artist_id INT REFERENCES artist(id), title TEXT);"
        "CREATE TABLE secrets(token TEXT);"
        "INSERT INTO artist VALUES (1, 'Ada'), (2, 'Bo');"
        "INSERT INTO album VALUES (1, 1, 'One'), (2, 1, 'Two'), (3, 2, 'Three');"
        "INSERT INTO secrets VALUES ('alpha');");
    server_ = std::make_unique<LibsqlServer>(scratch_.path(), "key");
    access_.tables = {{"artist", {"id", "name"}}, {"album", {"id", "artist_id", "title"}}};
    access_.functions = {"count", "max"};
    access_.limits.rows = 2;
  }

  ScratchDatabase scratch_;
  std::unique_ptr<LibsqlServer> server_;
  SqlAccess access_;
  AsioHttpClient http_;
};

TEST_F(LibsqlDatabaseTest, AnswersOverHttpAndCutsAtItsLimit) {
  auto database = open_libsql_database(server_->address(), access_, http_);
  ASSERT_TRUE(database) << database.error().message;
  auto schema = (*database)->tables();
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->find("secrets"), -1);
  EXPECT_EQ(schema->links.size(), 1U);
  const auto rows = (*database)->query(
      "SELECT name, count(*) AS n FROM artist JOIN album ON artist_id = artist.id GROUP BY name -- by "
      "name");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->columns, (std::vector<std::string>{"name", "n"}));
  EXPECT_EQ(rows->rows[0], (SqlRow{std::string("Ada"), std::int64_t{2}}));
  EXPECT_EQ((*database)->query("SELECT title FROM album")->cut, "only the first 2 rows");
}

TEST_F(LibsqlDatabaseTest, WhatTheGuardRefusesIsNeverSent) {
  auto database = open_libsql_database(server_->address(), access_, http_);
  ASSERT_TRUE(database);
  const std::string before = *sha256_of_file(scratch_.path());
  const std::size_t sent = server_->statements().size();
  for (const char* attack :
       {"DELETE FROM album", "SELECT token FROM secrets", "SELECT 1; DROP TABLE album",
        "SELECT 1) ; DROP TABLE album; --", "PRAGMA user_version = 7", "SELECT load_extension('x')",
        "ATTACH 'x' AS y", "SELECT 1) UNION SELECT token FROM secrets --",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c"}) {
    const auto rows = (*database)->query(attack);
    ASSERT_FALSE(rows) << attack;
    EXPECT_EQ(rows.error().code, ErrorCode::InvalidInput) << attack;
  }
  EXPECT_EQ(server_->statements().size(), sent);
  EXPECT_EQ(*sha256_of_file(scratch_.path()), before);
}

TEST_F(LibsqlDatabaseTest, AWrongTokenAndAServerThatIsAwayAreTold) {
  const auto refused = open_libsql_database(server_->address_with("other"), access_, http_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "libSQL: the server does not accept the token");
  EXPECT_EQ(open_libsql_database("libsql://127.0.0.1:1?tls=0", access_, http_).error().code,
            ErrorCode::Upstream);
}

TEST(ShownDatabase, HoldsNeitherPasswordNorToken) {
  EXPECT_EQ(shown_database("libsql://db.example?authToken=secret"), "libsql://db.example");
  EXPECT_EQ(shown_database("postgres://me:secret@host:5432/shop?sslmode=require"),
            "postgres://host:5432/shop");
  EXPECT_EQ(shown_database("shop.db"), "shop.db");
}

}  // namespace
}  // namespace signalbox

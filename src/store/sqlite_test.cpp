#include "store/sqlite.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace signalbox {
namespace {

class SqliteTest : public ::testing::Test {
 protected:
  std::string path = testing::TempDir() + "sqlite_test_" + std::to_string(getpid()) + ".db";
  void TearDown() override { std::filesystem::remove(path); }
};

TEST_F(SqliteTest, ValuesComeBackAsTheyWereBound) {
  auto db = SqliteDatabase::open(path, SqliteMode::Create);
  ASSERT_TRUE(db);
  ASSERT_TRUE(db->execute("CREATE TABLE t (a, b, c, d, e)"));
  const std::array bytes = {std::byte{0}, std::byte{255}};
  auto insert = db->prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)");
  ASSERT_TRUE(insert);
  ASSERT_TRUE(insert->bind(1, 7).bind(2, 2.5).bind(3, "añ").bind_bytes(4, bytes).bind_null(5).run());
  auto query = db->prepare("SELECT * FROM t");
  ASSERT_TRUE(query->step().value());
  EXPECT_EQ(query->integer(0), 7);
  EXPECT_EQ(query->real(1), 2.5);
  EXPECT_EQ(query->text(2), "añ");
  ASSERT_EQ(query->bytes(3).size(), 2U);
  EXPECT_EQ(query->bytes(3)[1], std::byte{255});
  EXPECT_TRUE(query->is_null(4));
  EXPECT_FALSE(query->step().value());
}

TEST_F(SqliteTest, AStatementCanRunAgainWithOtherValues) {
  auto db = SqliteDatabase::open(path, SqliteMode::Create);
  ASSERT_TRUE(db->execute("CREATE TABLE t (a)"));
  auto insert = db->prepare("INSERT INTO t VALUES (?)");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(insert->bind(1, i).run());
  auto count = db->prepare("SELECT count(*) FROM t");
  ASSERT_TRUE(count->step().value());
  EXPECT_EQ(count->integer(0), 3);
}

TEST_F(SqliteTest, MistakesAreErrorsWithACode) {
  EXPECT_EQ(SqliteDatabase::open("/nowhere/x.db", SqliteMode::ReadOnly).error().code,
            ErrorCode::NotFound);
  std::ofstream(path) << "this is no database, and it is long enough to be looked at as one";
  auto damaged = SqliteDatabase::open(path, SqliteMode::ReadOnly);
  ASSERT_TRUE(damaged);
  EXPECT_EQ(damaged->execute("SELECT * FROM t").error().code, ErrorCode::Corrupt);
  auto memory = SqliteDatabase::open(":memory:", SqliteMode::Create);
  EXPECT_EQ(memory->prepare("SELEKT").error().code, ErrorCode::Upstream);
  ASSERT_TRUE(memory->execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)"));
  auto insert = memory->prepare("INSERT INTO t VALUES (1)");
  EXPECT_EQ(insert->run().error().code, ErrorCode::Upstream);
}

}  // namespace
}  // namespace signalbox

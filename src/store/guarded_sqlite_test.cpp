#include "store/guarded_sqlite.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/sha256.h"
#include "test/fakes/scratch_database.h"

namespace signalbox {
namespace {

const std::string kData = std::string(SIGNALBOX_SOURCE_DIR) + "/test/data/sql/";

SqlAccess shop_access() {
  SqlAccess access;
  access.tables = {{"customers", {"id", "name"}},
                   {"orders", {"id", "customer_id", "total", "status", "placed"}},
                   {"open_orders", {"id", "total"}}};
  auto functions = load_sql_functions(std::string(SIGNALBOX_SOURCE_DIR) + "/profiles/common/sql.yaml");
  EXPECT_TRUE(functions) << functions.error().message;
  if (functions) access.functions = *std::move(functions);
  access.limits.rows = 20;
  access.limits.bytes = std::size_t{1} << 16;
  access.limits.steps = 2'000'000;
  access.limits.time = std::chrono::minutes(5);  // the steps end a statement, on any machine
  return access;
}

std::string bytes_of(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char kind = text[++i];
    if (kind == 'x') {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind == 'f' ? '\f' : kind == '0' ? '\0' : kind;
    }
  }
  return out;
}

struct Attack {
  std::string category;
  std::string verdict;
  std::string sql;
};

std::vector<Attack> attacks() {
  std::vector<Attack> out;
  std::ifstream file(kData + "attacks.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    out.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1),
                   bytes_of(line.substr(second + 1))});
  }
  return out;
}

std::string outcome_of(const Result<SqlRows>& rows) {
  if (rows) return "bounded";
  return rows.error().code == ErrorCode::Timeout ? "stopped" : "refused";
}

class GuardedSqliteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(kData + "attacked.sql");
    std::ostringstream text;
    text << file.rdbuf();
    scratch_.make(text.str());
    auto opened = GuardedSqlite::open(scratch_.path(), shop_access());
    ASSERT_TRUE(opened) << opened.error().message;
    database_ = std::make_unique<GuardedSqlite>(*std::move(opened));
  }

  // The file's bytes, and what else lies in its folder.
  std::string state() const {
    std::string out = *sha256_of_file(scratch_.path());
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.folder()))
      out += " " + entry.path().filename().string();
    return out;
  }

  ScratchDatabase scratch_;
  std::unique_ptr<GuardedSqlite> database_;
};

TEST_F(GuardedSqliteTest, NoAttackChangesAByteOrPassesItsLimit) {
  const std::string before = state();
  const SqlAccess access = shop_access();
  const std::vector<Attack> all = attacks();
  ASSERT_GE(all.size(), 200U);
  for (const Attack& attack : all) {
    const auto rows = database_->query(attack.sql);
    EXPECT_EQ(outcome_of(rows), attack.verdict)
        << attack.category << ": " << attack.sql.substr(0, 200) << "\n"
        << (rows ? "" : rows.error().message);
    EXPECT_LE(database_->steps(), access.limits.steps + kSqliteStepsBetweenLooks) << attack.sql;
    if (!rows) continue;
    std::size_t bytes = 0;
    for (const SqlRow& row : rows->rows) {
      for (const SqlValue& value : row) bytes += sql_value_bytes(value);
    }
    EXPECT_LE(rows->rows.size(), access.limits.rows) << attack.sql;
    EXPECT_LE(bytes, access.limits.bytes) << attack.sql;
  }
  EXPECT_EQ(state(), before);
}

TEST_F(GuardedSqliteTest, ReadsWhatIsAllowedAndSaysWhatIsNot) {
  const auto rows = database_->query(
      "WITH big AS (SELECT customer_id, total FROM orders WHERE total > 80) "
      "SELECT c.name, count(*) AS n FROM big JOIN customers c ON c.id = big.customer_id "
      "GROUP BY c.name ORDER BY c.name");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->columns, (std::vector<std::string>{"name", "n"}));
  ASSERT_EQ(rows->rows.size(), 3U);
  EXPECT_EQ(rows->rows[0], (SqlRow{std::string("Ada"), std::int64_t{3}}));
  EXPECT_EQ(database_->query("SELECT password FROM customers").error().message,
            "refused: customers.password may not be read");
  EXPECT_EQ(database_->query("SELECT load_extension('x')").error().message,
            "refused: the function load_extension may not be called");
  EXPECT_EQ(database_->query("SELECT totl FROM orders").error().message, "no such column: totl");
}

TEST_F(GuardedSqliteTest, AnAllowedViewMayReadWhatItIsMadeOf) {
  const auto rows = database_->query("SELECT count(*), max(total) FROM open_orders");
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->rows[0], (SqlRow{std::int64_t{30}, 90.0}));
}

TEST_F(GuardedSqliteTest, SaysThatRowsWereCut) {
  const auto rows = database_->query("SELECT id FROM orders");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows.size(), 20U);
  EXPECT_EQ(rows->cut, "only the first 20 rows");
  EXPECT_EQ(database_->query("SELECT id FROM orders LIMIT 20")->cut, "");
}

TEST_F(GuardedSqliteTest, WithoutAnAllowlistEveryTableButTheSchemaMayBeRead) {
  SqlAccess access = shop_access();
  access.tables.clear();
  auto open = GuardedSqlite::open(scratch_.path(), access);
  ASSERT_TRUE(open);
  EXPECT_TRUE(open->query("SELECT token FROM secrets"));
  EXPECT_FALSE(open->query("SELECT * FROM sqlite_schema"));
  EXPECT_FALSE(open->query("DELETE FROM secrets"));
}

TEST_F(GuardedSqliteTest, VectorsAreComparedByTheirAngle) {
  const auto of = [&](const std::string& a, const std::string& b) {
    return database_->query("SELECT vec_distance_cosine(" + a + ", " + b + ")");
  };
  EXPECT_EQ(std::get<double>(of("x'0000803f00000000'", "x'0000004000000000'")->rows[0][0]), 0.0);
  EXPECT_EQ(std::get<double>(of("x'0000803f00000000'", "x'000000000000803f'")->rows[0][0]), 1.0);
  EXPECT_EQ(of("NULL", "x'0000803f'")->rows[0][0], SqlValue{});
  EXPECT_EQ(of("x'00000000'", "x'0000803f'")->rows[0][0], SqlValue{});
  EXPECT_FALSE(of("x'0000803f'", "x'0000803f00000000'"));
  EXPECT_FALSE(of("'text'", "x'0000803f'"));
}

}  // namespace
}  // namespace signalbox

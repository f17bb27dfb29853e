#include "store/schema_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "store/sqlite.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;

class TempFolder {
 public:
  TempFolder() {
    std::string name = (fs::temp_directory_path() / "sbXXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ec;
    fs::remove_all(path_, ec);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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

// A private server on a socket of its own, run by a user that may run one.
class PostgresServer {
 public:
  explicit PostgresServer(const fs::path& folder) : folder_(folder) {
    const bool is_root = ::geteuid() == 0;
    if (is_root) as_ = "setpriv --reuid=postgres --regid=postgres --clear-groups ";
    fs::permissions(folder_, fs::perms::all);
    if (!run("initdb -D {0}/data -A trust -U postgres --no-sync")) return;
    is_up_ =
        run("pg_ctl -D {0}/data -w -t 30 -l {0}/log -o \"-k {0} -c listen_addresses='' -c fsync=off\" "
            "start");
  }
  ~PostgresServer() {
    if (is_up_) run("pg_ctl -D {0}/data -m immediate stop");
    run("rm -rf {0}/data");
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  bool is_up() const { return is_up_; }
  bool sql(const std::string& text) {
    std::ofstream(folder_ / "in.sql") << text;
    return run("psql -q -h {0} -U postgres -v ON_ERROR_STOP=1 -f {0}/in.sql postgres");
  }
  std::string address() const {
    return fmt::format("postgres:///postgres?host={}&user=postgres", folder_.string());
  }

 private:
  bool run(const std::string& command) const {
    const std::string line = fmt::format(
        "cd / && PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1) {}{} >/dev/null "
        "2>&1",
        as_, fmt::format(fmt::runtime(command), folder_.string()));
    return std::system(line.c_str()) == 0;
  }

  fs::path folder_;
  std::string as_;
  bool is_up_ = false;
};

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

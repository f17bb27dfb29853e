#include "sql/libsql_database.h"

#include <fmt/format.h>

#include <cstdlib>

#include "net/url.h"
#include "sql/hrana.h"
#include "store/guarded_sqlite.h"
#include "store/sqlite_database.h"

namespace signalbox {
namespace {

struct LibsqlPlace {
  std::string url;
  std::string token;
};

LibsqlPlace place_of(const std::string& address) {
  LibsqlPlace out;
  const std::size_t query = address.find('?');
  out.url = address.substr(0, query);
  bool is_plain = false;
  std::string_view rest =
      query == std::string::npos ? std::string_view() : std::string_view(address).substr(query + 1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.starts_with("authToken=")) out.token = percent_decode(part.substr(10));
    if (part == "tls=0") is_plain = true;
  }
  if (out.url.starts_with("libsql://"))
    out.url = (is_plain ? "http://" : "https://") + out.url.substr(9);
  while (out.url.ends_with('/')) out.url.pop_back();
  const char* token = std::getenv("LIBSQL_AUTH_TOKEN");
  if (out.token.empty() && token) out.token = token;
  return out;
}

// The server's own text is a stranger's: nothing but a table or view is made of it, one statement at a
// time.
bool makes_a_table(const std::string& sql) {
  const std::string start = lower_name(sql.substr(0, 13));
  return start.starts_with("create table") || start.starts_with("create view");
}

class LibsqlConnection {
 public:
  LibsqlConnection(LibsqlPlace place, SqlLimits limits, HttpClient& http)
      : place_(std::move(place)), limits_(limits), http_(http) {}

  Result<std::vector<SqlRows>> send(const std::vector<std::string>& statements) const {
    HttpRequest request;
    request.method = "POST";
    request.url = place_.url + "/v2/pipeline";
    request.headers = {{"Content-Type", "application/json"}};
    if (!place_.token.empty()) request.headers.push_back({"Authorization", "Bearer " + place_.token});
    request.body = hrana_request(statements);
    request.deadline = limits_.time;
    // JSON writes a value about eight times as long as we count it, at worst.
    request.max_body = limits_.bytes * 8 + (std::size_t{1} << 20);
    request.is_repeatable = true;  // it only reads
    auto answer = fetch_whole(http_, request);
    if (!answer) {
      if (answer.error().code == ErrorCode::Timeout)
        return fail(ErrorCode::Timeout, "stopped: the statement ran past its limit");
      return fail(ErrorCode::Upstream, "libSQL: " + answer.error().message);
    }
    if (answer->head.status == 401 || answer->head.status == 403)
      return fail(ErrorCode::Upstream, "libSQL: the server does not accept the token");
    if (answer->head.status != 200)
      return fail(ErrorCode::Upstream,
                  fmt::format("libSQL: the server answers {}", answer->head.status));
    return parse_hrana(answer->body, statements.size());
  }

 private:
  LibsqlPlace place_;
  SqlLimits limits_;
  HttpClient& http_;
};

class LibsqlDatabase : public SqlDatabase {
 public:
  LibsqlDatabase(LibsqlConnection connection, SqlSchema schema, GuardedSqlite copy, SqlLimits limits)
      : connection_(std::move(connection)),
        schema_(std::move(schema)),
        copy_(std::move(copy)),
        limits_(limits) {}

  Result<SqlSchema> tables() override { return schema_; }
  Result<void> check(std::string_view sql) override { return copy_.check(sql); }

  Result<SqlRows> query(std::string_view sql) override {
    if (auto fine = copy_.check(sql); !fine) return tl::unexpected(fine.error());
    std::string_view bare = sql;
    while (!bare.empty() && (bare.back() == ';' || bare.back() == ' ' || bare.back() == '\n'))
      bare.remove_suffix(1);
    // A line of its own for what follows: the statement may end in a comment.
    const std::string limited = fmt::format("SELECT * FROM (\n{}\n) LIMIT {}", bare, limits_.rows + 1);
    if (auto fine = copy_.check(limited); !fine) return tl::unexpected(fine.error());
    auto rows = connection_.send({limited});
    if (!rows) return tl::unexpected(rows.error());
    return cut(std::move(rows->front()));
  }

 private:
  SqlRows cut(SqlRows rows) const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      for (const SqlValue& value : rows.rows[i]) bytes += sql_value_bytes(value);
      if (i < limits_.rows && bytes <= limits_.bytes) continue;
      rows.rows.resize(i);
      rows.cut = fmt::format("only the first {} rows", i);
      break;
    }
    return rows;
  }

  LibsqlConnection connection_;
  SqlSchema schema_;
  GuardedSqlite copy_;
  SqlLimits limits_;
};

}  // namespace

Result<std::unique_ptr<SqlDatabase>> open_libsql_database(const std::string& address, SqlAccess access,
                                                          HttpClient& http) {
  LibsqlConnection connection(place_of(address), access.limits, http);
  auto described = connection.send(
      {"SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
       "ESCAPE '\\' "
       "AND name NOT LIKE 'libsql\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY type, rowid"});
  if (!described) return tl::unexpected(described.error());
  auto copy = SqliteDatabase::open(":memory:", SqliteMode::Create);
  if (!copy) return tl::unexpected(copy.error());
  for (const SqlRow& row : described->front().rows) {
    if (row.empty() || !makes_a_table(sql_value_text(row.front()))) continue;
    // What this SQLite cannot make (a module it does not have) is simply not there to be asked.
    if (auto made = copy->prepare(sql_value_text(row.front()))) (void)made->run();
  }
  auto schema = read_sqlite_tables(*copy, access);
  if (!schema) return tl::unexpected(schema.error());
  const SqlLimits limits = access.limits;
  auto guarded = GuardedSqlite::over(*std::move(copy), std::move(access));
  if (!guarded) return tl::unexpected(guarded.error());
  return std::make_unique<LibsqlDatabase>(std::move(connection), *std::move(schema),
                                          *std::move(guarded), limits);
}

}  // namespace signalbox

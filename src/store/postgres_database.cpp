#include "store/postgres_database.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <set>

#include "llm/json_fields.h"
#include "sql/statement_words.h"

namespace signalbox {
namespace {

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Rows = std::unique_ptr<PGresult, decltype(&PQclear)>;

constexpr int kRowsAtATime = 100;
// Types whose texts are numbers: bool is told apart, the rest stays text.
constexpr Oid kInt8 = 20, kInt2 = 21, kInt4 = 23, kFloat4 = 700, kFloat8 = 701, kNumeric = 1700;

std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Result<Rows> execute(PGconn* connection, const std::string& sql) {
  // The extended protocol takes one statement and no more.
  Rows rows(PQexecParams(connection, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0), &PQclear);
  const ExecStatusType status = PQresultStatus(rows.get());
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return rows;
  const char* state = PQresultErrorField(rows.get(), PG_DIAG_SQLSTATE);
  const std::string_view code = state ? state : "";
  const char* primary = PQresultErrorField(rows.get(), PG_DIAG_MESSAGE_PRIMARY);
  const std::string text = one_line(primary ? primary : PQerrorMessage(connection));
  if (code == "57014") return fail(ErrorCode::Timeout, "stopped: the statement ran past its limit");
  if (code.empty() || code.starts_with("08") || code.starts_with("57"))
    return fail(ErrorCode::Upstream, "PostgreSQL: " + text);
  return fail(ErrorCode::InvalidInput, text);
}

SqlValue value_of(const PGresult* rows, int row, int column) {
  if (PQgetisnull(rows, row, column)) return {};
  const std::string text(PQgetvalue(rows, row, column),
                         static_cast<std::size_t>(PQgetlength(rows, row, column)));
  const Oid type = PQftype(rows, column);
  const char* end = text.data() + text.size();
  if (type == kInt8 || type == kInt4 || type == kInt2) {
    std::int64_t number = 0;
    if (std::from_chars(text.data(), end, number).ptr == end) return number;
  }
  if (type == kFloat4 || type == kFloat8 || type == kNumeric) {
    double number = 0;
    if (std::from_chars(text.data(), end, number).ptr == end) return number;
  }
  return text;
}

// Tables the plan reads, and whether a whole row is handed on.
void read_plan(const boost::json::value& node, std::set<std::string>& tables,
               std::set<std::string>& schemas, bool& has_rows) {
  if (const auto* list = node.if_array()) {
    for (const auto& item : *list) read_plan(item, tables, schemas, has_rows);
    return;
  }
  const auto* object = node.if_object();
  if (!object) return;
  const std::string_view table = json_fields::text_at(*object, "Relation Name");
  if (!table.empty()) {
    tables.insert(std::string(table));
    schemas.insert(std::string(json_fields::text_at(*object, "Schema")));
  }
  if (const auto* output = json_fields::array_at(*object, "Output")) {
    for (const auto& item : *output) {
      const auto* text = item.if_string();
      has_rows = has_rows || (text && std::string_view(*text).ends_with(".*"));
    }
  }
  for (const auto& item : *object) read_plan(item.value(), tables, schemas, has_rows);
}

class PostgresDatabase : public SqlDatabase {
 public:
  PostgresDatabase(Connection connection, SqlAccess access)
      : connection_(std::move(connection)), access_(std::move(access)) {}

  Result<SqlSchema> tables() override {
    if (auto begun = begin(); !begun) return tl::unexpected(begun.error());
    auto schema = read_tables();
    end();
    return schema;
  }

  Result<void> check(std::string_view sql) override {
    if (auto begun = begin(); !begun) return tl::unexpected(begun.error());
    auto checked = checked_in_transaction(sql);
    end();
    return checked;
  }

  Result<SqlRows> query(std::string_view sql) override {
    if (auto begun = begin(); !begun) return tl::unexpected(begun.error());
    auto checked = checked_in_transaction(sql);
    auto rows = checked ? fetched(sql) : Result<SqlRows>(tl::unexpected(checked.error()));
    end();
    return rows;
  }

 private:
  // Reading alone, within the time, as somebody who may only read.
  Result<void> begin() {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(access_.limits.time).count();
    std::vector<std::string> steps = {
        "BEGIN TRANSACTION READ ONLY",
        fmt::format("SET LOCAL statement_timeout = {}", std::max<long>(ms, 1))};
    if (!access_.role.empty()) steps.push_back("SET LOCAL ROLE " + quoted(access_.role));
    for (const std::string& step : steps) {
      if (auto done = execute(connection_.get(), step); !done) {
        end();
        return fail(ErrorCode::Upstream, "PostgreSQL: " + done.error().message);
      }
    }
    auto super =
        execute(connection_.get(), "SELECT 1 FROM pg_roles WHERE rolname = current_user AND rolsuper");
    if (super && PQntuples(super->get()) > 0) {
      if (auto lowered = execute(connection_.get(), "SET LOCAL ROLE pg_read_all_data"); !lowered) {
        end();
        return fail(ErrorCode::Upstream,
                    "PostgreSQL: a superuser must name a `role` that can only read");
      }
    }
    return {};
  }

  void end() { (void)execute(connection_.get(), "ROLLBACK"); }

  static std::string quoted(const std::string& name) {
    std::string out = "\"";
    for (const char c : name) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
  }

  Result<SqlSchema> read_tables() {
    auto rows = execute(
        connection_.get(),
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), c.relkind IN ('v', 'm'), "
        "EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = "
        "ANY (i.indkey)), c.oid, a.attnum "
        "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON "
        "a.attrelid = c.oid "
        "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND "
        "pg_table_is_visible(c.oid) "
        "AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%' "
        "AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(c.oid, a.attnum, 'SELECT') "
        "ORDER BY 1, a.attnum");
    if (!rows) return tl::unexpected(rows.error());
    SqlSchema schema;
    schema.dialect = SqlDialect::Postgres;
    all_columns_.clear();
    std::map<std::pair<std::string, std::string>, std::pair<int, int>>
        places;  // oid and number → column
    for (int i = 0; i < PQntuples(rows->get()); ++i) {
      const auto text = [&](int column) { return std::string(PQgetvalue(rows->get(), i, column)); };
      all_columns_[lower_name(text(0))].insert(text(1));
      if (!is_allowed(text(0), text(1))) continue;
      if (schema.tables.empty() || schema.tables.back().name != text(0))
        schema.tables.push_back({text(0), {}, text(3) == "t", true});
      SqlColumn column;
      column.name = text(1);
      column.type = text(2);
      column.kind = kind_of_type(column.type);
      column.is_key = text(4) == "t";
      SqlTable& table = schema.tables.back();
      table.columns.push_back(std::move(column));
      places[{text(5), text(6)}] = {static_cast<int>(schema.tables.size()) - 1,
                                    static_cast<int>(table.columns.size()) - 1};
    }
    read_links(schema, places);
    return schema;
  }

  void read_links(SqlSchema& schema,
                  const std::map<std::pair<std::string, std::string>, std::pair<int, int>>& places) {
    auto rows = execute(connection_.get(),
                        "SELECT conrelid, conkey[1], confrelid, confkey[1] FROM pg_constraint "
                        "WHERE contype = 'f' AND array_length(conkey, 1) = 1 ORDER BY oid");
    for (int i = 0; rows && i < PQntuples(rows->get()); ++i) {
      const auto text = [&](int column) { return std::string(PQgetvalue(rows->get(), i, column)); };
      const auto from = places.find({text(0), text(1)});
      const auto to = places.find({text(2), text(3)});
      if (from == places.end() || to == places.end()) continue;
      schema.links.push_back(
          {from->second.first, from->second.second, to->second.first, to->second.second});
    }
  }

  bool is_allowed(const std::string& table, const std::string& column) const {
    if (access_.tables.empty()) return true;
    for (const auto& [name, columns] : access_.tables) {
      if (lower_name(name) == lower_name(table))
        return std::find(columns.begin(), columns.end(), column) != columns.end();
    }
    return false;
  }

  Result<void> checked_in_transaction(std::string_view sql) {
    auto words = read_statement(sql);
    if (!words) return tl::unexpected(words.error());
    if (words->words.empty() || (words->words.front() != "select" && words->words.front() != "with" &&
                                 words->words.front() != "values"))
      return refuse("only a query may run");
    for (const std::string& function : words->functions) {
      if (!access_.functions.contains(function))
        return refuse(fmt::format("the function {} may not be called", function));
    }
    for (const std::string_view word : {"recursive", "into", "for"}) {
      if (std::find(words->words.begin(), words->words.end(), word) != words->words.end())
        return refuse(fmt::format("{} has no place in a query here", word));
    }
    auto plan =
        execute(connection_.get(), "EXPLAIN (VERBOSE, FORMAT JSON) " + std::string(without_end(sql)));
    if (!plan) return tl::unexpected(plan.error());
    return check_plan(PQgetvalue(plan->get(), 0, 0), *words);
  }

  Result<void> check_plan(std::string_view text, const StatementWords& words) {
    boost::system::error_code ec;
    const boost::json::value plan = boost::json::parse(text, ec);
    if (ec) return fail(ErrorCode::Upstream, "PostgreSQL explains what it would do in no JSON");
    std::set<std::string> touched;
    std::set<std::string> schemas;
    bool has_whole_rows = false;
    read_plan(plan, touched, schemas, has_whole_rows);
    for (const std::string& schema : schemas) {
      if (schema == "pg_catalog" || schema == "information_schema")
        return refuse("the catalogue may not be read");
    }
    if (access_.tables.empty()) return {};
    if (all_columns_.empty()) {
      if (auto known = read_tables(); !known) return tl::unexpected(known.error());
    }
    for (const std::string& table : touched) {
      const auto all = all_columns_.find(lower_name(table));
      bool is_listed = false;
      for (const auto& [name, columns] : access_.tables)
        is_listed = is_listed || lower_name(name) == lower_name(table);
      if (!is_listed || all == all_columns_.end())
        return refuse(fmt::format("{} may not be read", table));
      for (const std::string& column : all->second) {
        if (is_allowed(table, column)) continue;
        const bool is_named =
            std::find(words.words.begin(), words.words.end(), column) != words.words.end();
        if (is_named || words.has_star || has_whole_rows)
          return refuse(fmt::format("{}.{} may not be read", table, column));
      }
    }
    return {};
  }

  static std::string_view without_end(std::string_view sql) {
    while (!sql.empty() && (sql.back() == ';' || sql.back() == ' ' || sql.back() == '\n'))
      sql.remove_suffix(1);
    return sql;
  }

  static tl::unexpected<Error> refuse(const std::string& why) {
    return fail(ErrorCode::InvalidInput, "refused: " + why);
  }

  // A cursor takes nothing but a query, and gives its rows in bounded pieces.
  Result<SqlRows> fetched(std::string_view sql) {
    if (auto declared = execute(connection_.get(),
                                "DECLARE answer NO SCROLL CURSOR FOR " + std::string(without_end(sql)));
        !declared)
      return tl::unexpected(declared.error());
    SqlRows out;
    std::size_t bytes = 0;
    for (;;) {
      auto rows = execute(connection_.get(), fmt::format("FETCH {} FROM answer", kRowsAtATime));
      if (!rows) return tl::unexpected(rows.error());
      const int columns = PQnfields(rows->get());
      if (out.columns.empty()) {
        for (int i = 0; i < columns; ++i) out.columns.emplace_back(PQfname(rows->get(), i));
      }
      for (int i = 0; i < PQntuples(rows->get()); ++i) {
        if (out.rows.size() == access_.limits.rows) {
          out.cut = fmt::format("only the first {} rows", access_.limits.rows);
          return out;
        }
        SqlRow row;
        for (int c = 0; c < columns; ++c) {
          row.push_back(value_of(rows->get(), i, c));
          bytes += sql_value_bytes(row.back());
        }
        if (bytes > access_.limits.bytes) {
          out.cut = fmt::format("only the first {} rows: the answer may hold {} bytes", out.rows.size(),
                                access_.limits.bytes);
          return out;
        }
        out.rows.push_back(std::move(row));
      }
      if (PQntuples(rows->get()) < kRowsAtATime) return out;
    }
  }

  Connection connection_;
  SqlAccess access_;
  std::map<std::string, std::set<std::string>>
      all_columns_;  // of every table, by its name in lower case
};

}  // namespace

Result<std::unique_ptr<SqlDatabase>> open_postgres_database(const std::string& address,
                                                            SqlAccess access) {
  const char* const keys[] = {"dbname", "connect_timeout", "application_name", nullptr};
  const char* const values[] = {address.c_str(), "10", "signalbox", nullptr};
  Connection connection(PQconnectdbParams(keys, values, 1), &PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK)
    return fail(ErrorCode::Upstream, "PostgreSQL: " + one_line(PQerrorMessage(connection.get())));
  return std::make_unique<PostgresDatabase>(std::move(connection), std::move(access));
}

}  // namespace signalbox

// describe_database(): samples, properties and links, by asking the database itself.

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "sql/found_links.h"
#include "sql/sql_database.h"

namespace signalbox {
namespace {

constexpr std::size_t kSampleRows = 100'000;  // looked at in a table
constexpr std::size_t kSamples = 5'000;       // distinct values kept of a column
constexpr std::size_t kSampleBytes = 120;     // longer values are no names of things
constexpr std::size_t kAllBytes = 8U << 20;   // kept of a database
constexpr std::size_t kProperties = 64;       // of a JSON column

bool looks_like_date(const std::string& text) {
  const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  return text.size() >= 10 && digit(0) && digit(3) && text[4] == '-' && digit(5) && digit(6) &&
         text[7] == '-' && digit(8) && digit(9) &&
         (text.size() == 10 || text[10] == ' ' || text[10] == 'T');
}

bool looks_like_json(const std::string& text) {
  if (text.empty() || text.front() != '{') return false;
  boost::system::error_code ec;
  const boost::json::value value = boost::json::parse(text, ec);
  return !ec && value.is_object();
}

bool all_of(const std::vector<std::string>& samples, bool (*test)(const std::string&)) {
  return !samples.empty() && std::all_of(samples.begin(), samples.end(), test);
}

class Describer {
 public:
  Describer(SqlDatabase& database, SqlSchema& schema) : database_(database), schema_(schema) {}

  void run() {
    for (SqlTable& table : schema_.tables) {
      const auto counted = database_.query(fmt::format(
          "SELECT count(*) FROM (SELECT 1 FROM {} LIMIT {})", sql_name(table.name), kSampleRows));
      if (!counted || counted->rows.empty()) continue;
      const auto* rows = std::get_if<std::int64_t>(&counted->rows[0][0]);
      table.has_rows = rows && *rows > 0;
      if (!table.has_rows) continue;
      for (SqlColumn& column : table.columns) sample(table, column, *rows);
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].kind == SqlKind::Json) properties(table, i);
      }
    }
  }

 private:
  // What a property or column is called in a statement.
  std::string reading(const SqlColumn& column) const {
    if (column.inside.empty()) return sql_name(column.name);
    return json_reading(sql_name(column.inside), column.name, schema_.dialect);
  }

  void sample(const SqlTable& table, SqlColumn& column, std::int64_t rows) {
    if (column.kind == SqlKind::Bytes || all_bytes_ > kAllBytes) return;
    const std::string value = reading(column);
    const std::string cast =
        schema_.dialect == SqlDialect::Postgres ? fmt::format("CAST({} AS text)", value) : value;
    const auto found = database_.query(fmt::format(
        "SELECT DISTINCT {} FROM (SELECT * FROM {} LIMIT {}) AS some WHERE {} IS NOT NULL LIMIT {}",
        cast, sql_name(table.name), kSampleRows, value, kSamples + 1));
    if (!found) return;
    const bool is_cut = found->rows.size() > kSamples || !found->cut.empty();
    bool is_long = false;
    bool is_number = true;
    for (const SqlRow& row : found->rows) {
      if (column.samples.size() == kSamples) break;
      std::string text = sql_value_text(row[0]);
      is_number = is_number && !std::holds_alternative<std::string>(row[0]);
      is_long = is_long || text.size() > kSampleBytes;
      all_bytes_ += text.size();
      column.samples.push_back(std::move(text));
    }
    column.has_all_samples = !is_cut;
    column.is_unique = !is_cut && static_cast<std::int64_t>(found->rows.size()) == rows;
    if (column.kind == SqlKind::Text && column.inside.empty()) {
      if (all_of(column.samples, &looks_like_json)) column.kind = SqlKind::Json;
      if (all_of(column.samples, &looks_like_date)) column.kind = SqlKind::Date;
    } else if (!column.inside.empty() && is_number && !column.samples.empty()) {
      column.kind = SqlKind::Number;
    } else if (!column.inside.empty() && all_of(column.samples, &looks_like_date)) {
      column.kind = SqlKind::Date;
    }
    if (column.kind == SqlKind::Json) return;  // its samples serve to find its properties
    if (is_long && column.kind == SqlKind::Text)
      column.samples.resize(std::min<std::size_t>(column.samples.size(), 3));
  }

  void properties(SqlTable& table, std::size_t place) {
    std::vector<std::string> names;
    for (const std::string& sample : table.columns[place].samples) {
      boost::system::error_code ec;
      const boost::json::value value = boost::json::parse(sample, ec);
      if (ec || !value.is_object()) continue;
      for (const auto& item : value.get_object()) {
        if (item.value().is_object() || item.value().is_array()) continue;
        const std::string name(item.key());
        if (std::find(names.begin(), names.end(), name) == names.end() && names.size() < kProperties)
          names.push_back(name);
      }
    }
    const std::string inside = table.columns[place].name;
    table.columns[place].samples.resize(std::min<std::size_t>(table.columns[place].samples.size(), 3));
    for (const std::string& name : names) {
      SqlColumn property;
      property.name = name;
      property.inside = inside;
      sample(table, property, 0);
      property.is_unique = false;
      table.columns.push_back(std::move(property));
    }
  }

  SqlDatabase& database_;
  SqlSchema& schema_;
  std::size_t all_bytes_ = 0;
};

}  // namespace

Result<SqlSchema> describe_database(SqlDatabase& database) {
  auto schema = database.tables();
  if (!schema) return tl::unexpected(schema.error());
  Describer(database, *schema).run();
  find_links(*schema);
  return schema;
}

}  // namespace signalbox

#include "call/record_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "call/selector.h"
#include "normalize/fold.h"
#include "retrieve/terms.h"
#include "sql/word_forms.h"

namespace signalbox {
namespace {

// The stem of a name's last word: "order items" and "OrderItem" meet here.
std::vector<Term> stem_of(std::string_view name) {
  std::vector<Term> out;
  append_terms(fold(spaced_name(name)), out);
  return out;
}

// "tarea" is the table tasks where the words of both languages are known to mean the same.
bool means_same(std::string_view a, std::string_view b, const SqlWords& concepts) {
  const std::vector<std::string> left = split_name(a);
  const std::vector<std::string> right = split_name(b);
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::vector<std::string> keys = concepts.keys(left[i]);
    const std::vector<std::string> others = concepts.keys(right[i]);
    const auto is_shared = [&](const std::string& key) {
      return std::find(others.begin(), others.end(), key) != others.end();
    };
    if (std::none_of(keys.begin(), keys.end(), is_shared)) return false;
  }
  return !left.empty();
}

bool is_same_name(std::string_view a, std::string_view b, const RecordWords& words) {
  return fold(a) == fold(b) || stem_of(a) == stem_of(b) ||
         (words.concepts && means_same(a, b, *words.concepts));
}

Result<std::vector<std::string>> table_names(SqliteDatabase& database) {
  auto query = database.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name");
  if (!query) return tl::unexpected(query.error());
  std::vector<std::string> out;
  while (true) {
    auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return out;
    out.emplace_back(query->text(0));
  }
}

Result<RecordTable> read_table(SqliteDatabase& database, const std::string& name,
                               const RecordWords& words) {
  auto query = database.prepare("SELECT name FROM pragma_table_info(?)");
  if (!query) return tl::unexpected(query.error());
  query->bind(1, name);
  RecordTable out;
  out.name = name;
  out.words = words;
  while (true) {
    auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    out.columns.emplace_back(query->text(0));
  }
  for (const std::string& wanted : words.name_columns) {
    for (const std::string& column : out.columns) {
      if (out.name_column.empty() && fold(column) == wanted) out.name_column = column;
    }
  }
  return out;
}

Result<bool> has_kind(SqliteDatabase& database, const RecordTable& table, std::string_view said,
                      std::string& kind) {
  auto query =
      database.prepare(fmt::format("SELECT DISTINCT {} FROM {} LIMIT 500",
                                   quoted_name(table.words.type_column), quoted_name(table.name)));
  if (!query) return tl::unexpected(query.error());
  while (true) {
    auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return false;
    if (!is_same_name(query->text(0), said, table.words)) continue;
    kind = query->text(0);
    return true;
  }
}

}  // namespace

std::string quoted_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

bool RecordTable::has_column(std::string_view column) const {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

std::optional<RecordField> RecordTable::field(std::string_view said) const {
  for (const std::string& column : columns) {
    if (is_same_name(column, said, words)) return RecordField{column, ""};
  }
  if (!has_column(words.properties)) return std::nullopt;
  std::string property;
  for (const char c : fold(said)) property += c == ' ' || c == '-' ? '_' : c;
  return RecordField{words.properties, property};
}

Result<RecordTable> find_record_table(SqliteDatabase& database, std::string_view said,
                                      const RecordWords& words) {
  auto names = table_names(database);
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    if (is_same_name(name, said, words)) return read_table(database, name, words);
  }
  for (const std::string& name : *names) {
    auto table = read_table(database, name, words);
    if (!table) return table;
    if (!table->has_column(words.type_column)) continue;
    auto found = has_kind(database, *table, said, table->kind);
    if (!found) return tl::unexpected(found.error());
    if (*found) return table;
  }
  return fail(ErrorCode::NotFound, fmt::format("{}", fmt::join(*names, ", ")));
}

}  // namespace signalbox

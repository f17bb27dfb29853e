#include "sql/found_links.h"

#include <algorithm>
#include <unordered_set>

#include "sql/word_forms.h"

namespace signalbox {
namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words, std::size_t from = 0) {
  std::string out;
  for (std::size_t i = from; i < words.size(); ++i) out += words[i];
  return out;
}

bool ends_like_key(const std::string& name) {
  for (const std::string_view ending : {"id", "code", "key", "uuid"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

// The words all names of a table begin with: sbTxId, sbTxType: sb, tx.
std::size_t shared_beginning(const SqlTable& table) {
  if (table.columns.size() < 3) return 0;
  const Words first = split_name(table.columns.front().name);
  std::size_t shared = first.size();
  for (const SqlColumn& column : table.columns) {
    if (!column.inside.empty()) continue;
    const Words words = split_name(column.name);
    std::size_t same = 0;
    while (same < shared && same + 1 < words.size() && words[same] == first[same]) ++same;
    shared = same;
  }
  return shared;
}

bool has_key(const SqlTable& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const SqlColumn& column) { return column.is_key; });
}

// How much a column's name says that it is the key of its table; 0: nothing.
int key_rank(const SqlTable& table, const SqlColumn& column) {
  const std::string called = joined(split_name(column.name));
  int rank = ends_like_key(called) && &column == &table.columns.front() ? 1 : 0;
  for (const std::string& form : word_forms(joined(split_name(table.name)))) {
    if (called == form + "id" || called == "id") return 5;
    if (called.size() == 3 && called == form.substr(0, 1) + "id") rank = std::max(rank, 4);
    if (ends_like_key(called) && called.starts_with(form)) rank = std::max(rank, 3);
    if (called == form + "name") rank = std::max(rank, 2);
  }
  return rank;
}

// A table without a declared key has one where a unique column is named like one. A name that is the
// key of another table is a reference here.
void mark_keys(SqlSchema& schema, int least) {
  for (SqlTable& table : schema.tables) {
    if (table.is_view || has_key(table)) continue;
    SqlColumn* best = nullptr;
    int best_rank = least - 1;
    for (SqlColumn& column : table.columns) {
      if ((table.has_rows && !column.is_unique) || !column.inside.empty()) continue;
      const bool is_reference =
          least == 1 &&
          std::any_of(schema.tables.begin(), schema.tables.end(), [&](const SqlTable& other) {
            const int key = other.key();
            return key >= 0 && other.columns[static_cast<std::size_t>(key)].name == column.name;
          });
      const int rank = is_reference ? 0 : key_rank(table, column);
      if (rank > best_rank) {
        best = &column;
        best_rank = rank;
      }
    }
    if (best) best->is_key = true;
  }
}

class LinkFinder {
 public:
  explicit LinkFinder(SqlSchema& schema) : schema_(schema) {
    for (const SqlTable& table : schema.tables) beginnings_.push_back(shared_beginning(table));
  }

  void run() {
    for (std::size_t to = 0; to < schema_.tables.size(); ++to) {
      const int key = schema_.tables[to].key();
      if (key < 0) continue;
      for (std::size_t from = 0; from < schema_.tables.size(); ++from) {
        for (std::size_t column = 0; column < schema_.tables[from].columns.size(); ++column)
          consider({static_cast<int>(from), static_cast<int>(column), static_cast<int>(to), key});
      }
    }
    // After the keys: a column points to one place.
    for (std::size_t to = 0; to < schema_.tables.size(); ++to) also_by_other_unique(to);
  }

 private:
  const SqlColumn& column_of(int table, int column) const {
    return schema_.tables[static_cast<std::size_t>(table)].columns[static_cast<std::size_t>(column)];
  }

  // yelp's business has `bid`, and everything points to its unique `business_id`.
  void also_by_other_unique(std::size_t to) {
    const SqlTable& target = schema_.tables[to];
    for (std::size_t k = 0; k < target.columns.size(); ++k) {
      const SqlColumn& unique = target.columns[k];
      const Words called = split_name(unique.name);
      const bool is_shared_name = called.size() > 1 && called.back() == "name";
      if (unique.is_key || !unique.is_unique || (!is_shared_name && !ends_like_key(joined(called))))
        continue;
      for (std::size_t from = 0; from < schema_.tables.size(); ++from) {
        const int column = schema_.tables[from].find(unique.name);
        if (from != to && column >= 0)
          consider({static_cast<int>(from), column, static_cast<int>(to), static_cast<int>(k)});
      }
    }
  }

  void consider(const SqlLink& link) {
    if (link.table == link.to_table && link.column == link.to_column) return;
    if (link.table == link.to_table) return;  // a tree inside a table is declared or not seen
    const SqlColumn& column = column_of(link.table, link.column);
    if (!column.inside.empty() || column.kind == SqlKind::Date || column.kind == SqlKind::Bytes) return;
    for (const SqlLink& known : schema_.links) {
      if (known.table == link.table && known.column == link.column) return;
    }
    if (points_by_name(link) && agrees(link)) schema_.links.push_back(link);
  }

  bool points_by_name(const SqlLink& link) const {
    const SqlColumn& from = column_of(link.table, link.column);
    const SqlColumn& to = column_of(link.to_table, link.to_column);
    const Words from_words = split_name(from.name);
    const Words to_words = split_name(to.name);
    const std::string called = joined(from_words);
    const std::string key = joined(to_words);
    const bool is_own_key =
        from.is_key && schema_.tables[static_cast<std::size_t>(link.table)].key() == link.column;
    if (called == key) return called != "id" && called != "name" && !is_own_key;
    const std::string target =
        joined(split_name(schema_.tables[static_cast<std::size_t>(link.to_table)].name));
    for (const std::string& form : word_forms(target)) {
      if (called == form + key || called == form + "id") return true;
      if (called == form && ends_like_key(key)) return true;  // course_offering.semester
    }
    const std::size_t beginning = beginnings_[static_cast<std::size_t>(link.table)];
    const std::string rest = beginning < from_words.size() ? joined(from_words, beginning) : "";
    return beginning > 0 && rest.size() > 3 && ends_like_key(rest) && key.ends_with(rest);
  }

  bool agrees(const SqlLink& link) const {
    const SqlColumn& from = column_of(link.table, link.column);
    const SqlColumn& to = column_of(link.to_table, link.to_column);
    if (from.samples.empty() || to.samples.empty() || !to.has_all_samples) return true;
    const std::unordered_set<std::string> there(to.samples.begin(), to.samples.end());
    const auto found = std::count_if(from.samples.begin(), from.samples.end(),
                                     [&](const std::string& value) { return there.contains(value); });
    // An attribute that is shared, such as the name of a state, need not be known at the other end.
    const double needed = ends_like_key(joined(split_name(from.name))) ? 0.9 : 0.3;
    return static_cast<double>(found) >= needed * static_cast<double>(from.samples.size());
  }

  SqlSchema& schema_;
  std::vector<std::size_t> beginnings_;
};

}  // namespace

void find_links(SqlSchema& schema) {
  mark_keys(schema, 2);
  mark_keys(schema, 1);
  LinkFinder(schema).run();
}

}  // namespace signalbox

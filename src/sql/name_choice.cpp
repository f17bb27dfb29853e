#include "sql/name_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/sql_access.h"
#include "sql/word_forms.h"

namespace signalbox {
namespace {

constexpr int kChosen = 1000;  // what somebody chose outranks every likelihood

// Stamps of the row itself, not of what it tells about.
bool is_bookkeeping(const std::string& name) {
  for (const std::string& word : split_name(name)) {
    for (const std::string_view known :
         {"created", "updated", "crtd", "modified", "inserted", "upd", "deleted"}) {
      if (word == known) return true;
    }
  }
  return false;
}

}  // namespace

bool NameChoice::is_linked(int a, int b) const {
  return std::any_of(schema_.links.begin(), schema_.links.end(), [&](const SqlLink& link) {
    return (link.table == a && link.to_table == b) || (link.table == b && link.to_table == a);
  });
}

int NameChoice::closeness(int table, int subject) const {
  if (table == subject) return 60;
  int out = 0;
  if (named_.contains(table))
    out = 40;
  else if (subject >= 0 && is_linked(table, subject))
    out = 20;
  return out;
}

bool NameChoice::are_same(const ColumnRef& a, const ColumnRef& b) const {
  return std::any_of(schema_.links.begin(), schema_.links.end(), [&](const SqlLink& link) {
    const ColumnRef from{link.table, link.column};
    const ColumnRef to{link.to_table, link.to_column};
    return (from == a && to == b) || (from == b && to == a);
  });
}

std::string NameChoice::text(const ColumnRef& ref) const {
  const SqlTable& table = schema_.tables[static_cast<std::size_t>(ref.table)];
  if (ref.column < 0) return table.name;
  return table.name + "." + table.columns[static_cast<std::size_t>(ref.column)].name;
}

int NameChoice::table_quality(const QuestionItem& item) const {
  int out = 0;
  for (const SaidName& name : item.names) {
    if (name.column < 0) out = std::max(out, name.quality);
  }
  return out;
}

int NameChoice::table(const QuestionItem& item) const {
  const SaidName* best = nullptr;
  for (const SaidName& name : item.names) {
    if (name.column >= 0) continue;
    if (!best || name.quality + name.is_exact > best->quality + best->is_exact) best = &name;
  }
  return best ? best->table : -1;
}

bool NameChoice::is_preferred(const ColumnRef& ref) const {
  return std::find(preferred_.begin(), preferred_.end(), text(ref)) != preferred_.end();
}

std::optional<ColumnRef> NameChoice::preferred_of(const std::vector<ColumnRef>& found) const {
  const auto chosen =
      std::find_if(found.begin(), found.end(), [&](const ColumnRef& ref) { return is_preferred(ref); });
  if (chosen == found.end()) return std::nullopt;
  return *chosen;
}

bool NameChoice::says_name(const QuestionItem& item) const {
  return std::any_of(item.names.begin(), item.names.end(), [&](const SaidName& name) {
    if (name.column < 0 || name.says_table) return false;
    const auto shown = display_columns(schema_, name.table);
    return item.end - item.begin == 1 && shown.size() == 1 && shown.front() == name.column &&
           lower_name(schema_.tables[static_cast<std::size_t>(name.table)]
                          .columns[static_cast<std::size_t>(name.column)]
                          .name) == "name";
  });
}

Sure<ColumnRef> NameChoice::column(const QuestionItem& item, int subject, int near) const {
  std::vector<std::pair<int, ColumnRef>> ranked;
  for (const SaidName& name : item.names) {
    if (name.column < 0 || name.is_when) continue;
    const bool is_chosen = is_preferred({name.table, name.column});
    const int rank = (is_chosen ? kChosen : 0) +
                     (name.table == near ? 100 : closeness(name.table, subject)) + 5 * name.quality +
                     (name.is_exact ? 2 : 0);
    ranked.emplace_back(rank, ColumnRef{name.table, name.column});
  }
  if (ranked.empty()) return doubt("no_column", item.text);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> options{text(ranked.front().second)};
  for (std::size_t i = 1; i < ranked.size() && ranked[i].first == ranked.front().first; ++i) {
    if (!are_same(ranked.front().second, ranked[i].second)) options.push_back(text(ranked[i].second));
  }
  if (options.size() == 1) return ranked.front().second;
  return tl::unexpected(SqlDoubt{"may_mean", {item.text}, options, {}, {}});
}

Sure<SqlFilter> NameChoice::value(const QuestionItem& item, int subject,
                                  const QuestionItem* near) const {
  std::vector<std::pair<int, const SaidValue*>> ranked;
  for (const SaidValue& value : item.values) {
    int rank = closeness(value.table, subject) + (value.is_rare ? 0 : 5);
    if (near) {
      for (const SaidName& name : near->names) {
        if (name.table != value.table) continue;
        if (name.column == value.column) rank = std::max(rank, 200 + name.quality);
        if (name.column < 0 && item.lead.empty()) rank = std::max(rank, 120);
      }
    }
    // Of a table's own columns its name comes first.
    const auto shown = display_columns(schema_, value.table);
    const bool is_shown = std::find(shown.begin(), shown.end(), value.column) != shown.end();
    if (is_shown) rank += 3;
    // "albums of Iron Maiden" are not the album of that name.
    if (value.table != subject && !item.lead.empty() && is_linked(value.table, subject) && rank < 60 &&
        is_shown)
      rank = 70;
    if (is_preferred({value.table, value.column})) rank += kChosen;
    ranked.emplace_back(rank, &value);
  }
  if (ranked.empty()) return doubt("nothing_called", item.text);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const ColumnRef chosen{ranked.front().second->table, ranked.front().second->column};
  std::vector<std::string> options{text(chosen)};
  SqlFilter filter{chosen, Compare::Equal, {sql_text(ranked.front().second->value)}, {}};
  for (std::size_t i = 1; i < ranked.size() && ranked[i].first == ranked.front().first; ++i) {
    const ColumnRef other{ranked[i].second->table, ranked[i].second->column};
    if (other == chosen) {
      filter.values.push_back(sql_text(ranked[i].second->value));  // written in two ways
    } else if (!are_same(chosen, other)) {
      options.push_back(text(other));
    }
  }
  if (options.size() == 1) return filter;
  return tl::unexpected(SqlDoubt{"may_be_value", {item.text}, options, {}, {}});
}

std::vector<std::vector<int>> NameChoice::rings(int subject) const {
  std::vector<std::vector<int>> out(3);
  for (int t = 0; t < static_cast<int>(schema_.tables.size()); ++t) {
    if (t == subject)
      out[0].push_back(t);
    else if (named_.contains(t))
      out[1].push_back(t);
    else if (subject >= 0 && is_linked(t, subject))
      out[2].push_back(t);
  }
  return out;
}

Sure<ColumnRef> NameChoice::date(int subject, const QuestionItem* hint, int figures) const {
  if (hint) {
    std::vector<ColumnRef> said;
    int best = -1;
    for (const SaidName& name : hint->names) {
      if (!name.is_when) continue;
      const int rank = closeness(name.table, subject);
      if (rank > best) said.clear();
      if (rank >= best) said.push_back({name.table, name.column});
      best = std::max(best, rank);
    }
    if (said.size() == 1) return said.front();
  }
  std::vector<std::vector<int>> looked = rings(subject);
  if (figures >= 0 && figures != subject) looked.insert(looked.begin(), {figures});
  for (const std::vector<int>& ring : looked) {
    std::vector<ColumnRef> found;
    std::vector<ColumnRef> stamps;
    for (const int t : ring) {
      const auto& columns = schema_.tables[static_cast<std::size_t>(t)].columns;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].kind != SqlKind::Date) continue;
        (is_bookkeeping(columns[c].name) ? stamps : found).push_back({t, static_cast<int>(c)});
      }
    }
    if (found.empty()) found = stamps;
    if (const auto chosen = preferred_of(found)) return *chosen;
    if (found.size() == 1) return found.front();
    if (found.empty()) continue;
    std::vector<std::string> options;
    for (const ColumnRef& ref : found) options.push_back(text(ref));
    return tl::unexpected(SqlDoubt{"date_may_be", {}, options, {}, {}});
  }
  return doubt("no_date");
}

Sure<ColumnRef> NameChoice::about(std::span<const std::string> concepts, int subject) const {
  for (const std::vector<int>& ring : rings(subject)) {
    std::vector<ColumnRef> found;
    for (const int t : ring) {
      for (const int c : names_.columns_about(t, concepts)) found.push_back({t, c});
    }
    if (found.size() > 1)
      std::erase_if(found, [&](const ColumnRef& ref) {
        return is_bookkeeping(schema_.tables[static_cast<std::size_t>(ref.table)]
                                  .columns[static_cast<std::size_t>(ref.column)]
                                  .name);
      });
    if (const auto chosen = preferred_of(found)) return *chosen;
    if (found.size() == 1) return found.front();
    if (found.empty()) continue;
    std::vector<std::string> options;
    for (const ColumnRef& ref : found) options.push_back(text(ref));
    return tl::unexpected(SqlDoubt{"may_be_about", {}, options, {}, {}});
  }
  return doubt("about_nothing");
}

}  // namespace signalbox

#include <algorithm>

#include "sql/question_frame.h"

namespace signalbox {
namespace {

bool is_figure(const SqlTerm& term) {
  return term.aggregate != Aggregate::None;
}

class Settler {
 public:
  Settler(const SqlSchema& schema, const NameChoice& choice, const QuestionFrame& frame)
      : schema_(schema), choice_(choice), frame_(frame) {}

  Sure<SqlQuery> run() {
    query_.subject = subject();
    query_.filters = frame_.filters;
    query_.having = frame_.having;
    query_.without = frame_.without;
    query_.is_distinct = frame_.is_distinct;
    if (query_.subject < 0) return doubt("asked_what");
    for (const int table : frame_.with) {
      if (table != query_.subject) query_.with.push_back(table);
    }
    order();
    const std::vector<AskedTerm>& asked = frame_.output.empty() ? frame_.select : frame_.output;
    for (const AskedTerm& term : frame_.groups) add_group(term);
    for (const AskedTerm& term : asked) {
      if (term.is_table()) {
        for (const int column : display_columns(schema_, term.term.of.table))
          select({{}, {term.term.of.table, column}, false, {}});
      } else {
        select(term.term);
      }
    }
    // "the name and the size of each room": no more than a list of them.
    if (!has_figure() && query_.having.empty()) query_.groups.clear();
    if (is_aggregate()) {
      if (auto grouped = group_rest(); !grouped) return tl::unexpected(grouped.error());
    } else if (query_.select.empty()) {
      add_subject();
    } else if (query_.order && !is_figure(*query_.order)) {
      add_order_to_named();
    }
    limit();
    return query_;
  }

 private:
  int subject() const {
    if (frame_.subject >= 0) return frame_.subject;
    for (const auto* list : {&frame_.select, &frame_.output, &frame_.groups}) {
      for (const AskedTerm& term : *list) return term.term.of.table;
    }
    if (frame_.order) return frame_.order->of.table;
    return frame_.filters.empty() ? -1 : frame_.filters.front().column.table;
  }

  void select(const SqlTerm& term) {
    if (std::find(query_.select.begin(), query_.select.end(), term) == query_.select.end())
      query_.select.push_back(term);
  }

  void group(const SqlTerm& term) {
    if (std::find(query_.groups.begin(), query_.groups.end(), term) == query_.groups.end())
      query_.groups.push_back(term);
  }

  // A table is grouped by its key and shown by its name.
  void add_table_group(int table) {
    const int key = schema_.tables[static_cast<std::size_t>(table)].key();
    const std::vector<int> shown = display_columns(schema_, table);
    if (key >= 0 && !is_attribute(table, shown)) group({{}, {table, key}, false, {}});
    for (const int column : shown) {
      select({{}, {table, column}, false, {}});
      group({{}, {table, column}, false, {}});
    }
  }

  // A table that lists the same names for many rows of another (categories of businesses) is told by
  // name.
  bool is_attribute(int table, const std::vector<int>& shown) const {
    const SqlColumn& name = schema_.tables[static_cast<std::size_t>(table)]
                                .columns[static_cast<std::size_t>(shown.front())];
    return shown.size() == 1 && !name.is_unique && name.has_all_samples &&
           std::any_of(schema_.links.begin(), schema_.links.end(),
                       [&](const SqlLink& link) { return link.table == table; });
  }

  void add_group(const AskedTerm& term) {
    if (term.is_table()) return add_table_group(term.term.of.table);
    select(term.term);
    group(term.term);
  }

  bool has_figure() const {
    return (query_.order && is_figure(*query_.order)) ||
           std::any_of(query_.select.begin(), query_.select.end(), is_figure);
  }

  bool is_aggregate() const { return !query_.groups.empty() || !query_.having.empty() || has_figure(); }

  void order() {
    query_.order = frame_.order;
    query_.is_descending = frame_.is_descending.value_or(false);
    if (query_.order || !frame_.is_alphabetical) return;
    const std::vector<int> shown = display_columns(schema_, query_.subject);
    query_.order = SqlTerm{{}, {query_.subject, shown.front()}, false, {}};
    for (const AskedTerm& term : frame_.select) {
      if (!term.is_table() && !is_figure(term.term)) {
        query_.order = term.term;
        break;
      }
    }
  }

  // Figures beside plain columns are figures for each of them.
  Sure<bool> group_rest() {
    const bool ranks_subject = (query_.order && is_figure(*query_.order)) || !query_.having.empty();
    const bool has_plain = std::any_of(query_.select.begin(), query_.select.end(),
                                       [](const SqlTerm& term) { return !is_figure(term); });
    if (query_.groups.empty() && ranks_subject) {
      const int ranked = ranked_table();
      if (!has_plain) {
        if (ranked < 0) return doubt("figures_for_what");
        const std::vector<SqlTerm> figures = std::exchange(query_.select, {});
        add_table_group(ranked);
        for (const SqlTerm& figure : figures) select(figure);
      } else if (ranked >= 0) {
        const int key = schema_.tables[static_cast<std::size_t>(ranked)].key();
        const bool is_of_ranked = std::all_of(
            query_.select.begin(), query_.select.end(),
            [&](const SqlTerm& term) { return is_figure(term) || term.of.table == ranked; });
        if (key >= 0 && is_of_ranked && frame_.has_subject_named) group({{}, {ranked, key}, false, {}});
      }
    }
    for (const SqlTerm& term : std::vector<SqlTerm>(query_.select)) {
      if (!is_figure(term)) group(term);
    }
    if (query_.order && is_figure(*query_.order) && frame_.output.empty()) select(*query_.order);
    if (query_.order && !is_figure(*query_.order) && !query_.groups.empty()) group(*query_.order);
    for (const SqlHaving& each : query_.having) {
      if (frame_.output.empty() && frame_.asks_which == false && query_.select.empty())
        select(each.term);
    }
    if (query_.select.empty()) return doubt("show_what");
    return true;
  }

  // The table whose rows the figures compare: the subject, unless it is what is counted.
  int ranked_table() const {
    const SqlTerm& figure =
        query_.order && is_figure(*query_.order) ? *query_.order : query_.having.front().term;
    if (figure.aggregate == Aggregate::Count && figure.of.column < 0 &&
        figure.of.table == query_.subject)
      return -1;
    return query_.subject;
  }

  void add_subject() {
    const SqlTable& table = schema_.tables[static_cast<std::size_t>(query_.subject)];
    if (frame_.asks_which || frame_.is_distinct || (query_.order && !frame_.is_alphabetical)) {
      for (const int column : display_columns(schema_, query_.subject))
        select({{}, {query_.subject, column}, false, {}});
      if (query_.order) select(*query_.order);
      return;
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].inside.empty() && table.columns[i].kind != SqlKind::Bytes)
        select({{}, {query_.subject, static_cast<int>(i)}, false, {}});
    }
  }

  // "Which lakes have the largest areas": what is compared is shown beside the name.
  void add_order_to_named() {
    const bool only_names_subject =
        frame_.output.empty() && std::all_of(frame_.select.begin(), frame_.select.end(),
                                             [](const AskedTerm& term) { return term.is_table(); });
    if (only_names_subject) select(*query_.order);
  }

  void limit() {
    query_.limit = frame_.limit;
    if (query_.limit == 0 && frame_.is_superlative && !frame_.subject_is_plural && query_.order)
      query_.limit = 1;
  }

  const SqlSchema& schema_;
  const NameChoice& choice_;
  const QuestionFrame& frame_;
  SqlQuery query_;
};

}  // namespace

Sure<SqlQuery> settle(const SqlSchema& schema, const NameChoice& choice, const QuestionFrame& frame) {
  return Settler(schema, choice, frame).run();
}

}  // namespace signalbox

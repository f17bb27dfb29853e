#include <fmt/format.h>

#include <algorithm>

#include "sql/question_reading.h"

namespace signalbox {
namespace {

using Kind = QuestionItem::Kind;

}  // namespace

// "more than 5 tracks", "fewer than 1000 people"
Sure<bool> QuestionReader::counted_more(const QuestionItem& item, int table, int near) {
  const std::string number = *std::exchange(waiting_number_, std::nullopt);
  const Compare how = *std::exchange(compare_, std::nullopt);
  const bool has_own = has_column(item, frame_.subject);
  if (table >= 0 && table != frame_.subject && !has_own) {
    frame_.having.push_back({{Aggregate::Count, {table, -1}, false, {}}, how, number});
    return true;
  }
  auto column = choice_.column(item, frame_.subject, near);
  if (!column) return tl::unexpected(column.error());
  if (column_of(*column).kind != SqlKind::Number) return doubt("not_a_number", item.text);
  frame_.filters.push_back({*column, how, {number}, {}});
  return true;
}

Sure<SqlTerm> QuestionReader::figure_term(const QuestionItem& item, int table, int near) {
  const Aggregate wanted = figure_.value_or(Aggregate::None);
  const bool counts = std::exchange(counts_, false);
  const bool is_distinct = std::exchange(is_distinct_count_, false);
  const bool is_total = std::exchange(is_total_, false);
  figure_.reset();
  if (counts) {
    // A column that holds the number already.
    QuestionItem held = item;
    std::erase_if(held.names, [](const SaidName& each) { return !each.is_count; });
    if (!held.names.empty() && (table < 0 || has_column(held, frame_.subject))) {
      auto column = choice_.column(held, frame_.subject, near);
      if (!column) return tl::unexpected(column.error());
      if (is_of_many(wanted)) return SqlTerm{wanted, *column, false, {}};
      const bool adds_up = is_total || !extreme_;
      return SqlTerm{adds_up ? Aggregate::Sum : Aggregate::None, *column, false, {}};
    }
    if (is_of_many(wanted)) return doubt("average_of_counts");
    if (table >= 0 && near < 0) return rows_of(table, is_distinct);
    auto column = choice_.column(item, frame_.subject, near);
    if (!column) return tl::unexpected(column.error());
    if (column_of(*column).kind == SqlKind::Number && !column_of(*column).is_key && !is_distinct)
      return doubt("number_already", choice_.text(*column));
    return SqlTerm{Aggregate::Count, *column, true, {}};
  }
  if (!has_column(item)) {
    // "the total of invoices": their column of that name.
    const int total = table >= 0 && std::exchange(says_total_, false)
                          ? schema_.tables[static_cast<std::size_t>(table)].find("total")
                          : -1;
    if (total >= 0 && column_of({table, total}).kind == SqlKind::Number)
      return SqlTerm{
          extreme_ && wanted == Aggregate::Sum ? Aggregate::None : wanted, {table, total}, false, {}};
    if (wanted == Aggregate::Sum && table >= 0 && !holds_money(table))
      return SqlTerm{Aggregate::Count, {table, -1}, is_distinct, {}};
    return doubt("no_figure", item.text);
  }
  auto column = choice_.column(item, frame_.subject, near);
  if (!column) return tl::unexpected(column.error());
  const bool needs_number = wanted == Aggregate::Sum || wanted == Aggregate::Average;
  if (needs_number && column_of(*column).kind != SqlKind::Number)
    return doubt("no_numbers", choice_.text(*column));
  return SqlTerm{wanted, *column, false, {}};
}

// Rows that are counts themselves are added up.
SqlTerm QuestionReader::rows_of(int table, bool is_distinct) const {
  const int count = schema_.tables[static_cast<std::size_t>(table)].find("count");
  if (count >= 0 && !is_distinct && column_of({table, count}).kind == SqlKind::Number)
    return {Aggregate::Sum, {table, count}, false, {}};
  return {Aggregate::Count, {table, -1}, is_distinct, {}};
}

bool QuestionReader::holds_money(int table) const {
  return choice_.about(std::vector<std::string>{"total", "amount", "price"}, table).has_value();
}

Sure<bool> QuestionReader::figure(const QuestionItem& item, int table, int near) {
  // "the highest mountains": by what is still to be said.
  if (!figure_ && table == frame_.subject && table >= 0 && !has_column(item)) {
    frame_.has_subject_named = true;
    return true;
  }
  const bool was_extreme = extreme_.has_value();
  const bool is_high = extreme_.value_or(true);
  auto term = figure_term(item, table, near);
  if (!term) return tl::unexpected(term.error());
  extreme_.reset();
  if (frame_.subject < 0) frame_.subject = term->of.table;
  if (!figures_.empty()) {
    if (was_extreme || role_ == Role::Order || term->of.column < 0) return doubt("figure_of_what");
    for (const Aggregate each : std::exchange(figures_, {})) put({{each, term->of, false, {}}});
  }
  if (was_extreme) return extreme(*term, is_high);
  if (role_ == Role::Order) {
    set_order(*term);
    return true;
  }
  put({*term});
  role_ = Role::Select;
  return true;
}

// "the highest X" is X's maximum where nothing else is asked for, else the row that has it.
Sure<bool> QuestionReader::extreme(SqlTerm term, bool is_high) {
  const bool asks_rows =
      frame_.has_subject_named || is_top_ || frame_.asks_which || !frame_.select.empty() || in_output_;
  if (!asks_rows && term.aggregate == Aggregate::None) {
    term.aggregate = is_high ? Aggregate::Maximum : Aggregate::Minimum;
    put({term});
    return true;
  }
  if (frame_.order) {
    if (*frame_.order == term) return true;
    return doubt("two_rankings");
  }
  frame_.order = term;
  frame_.is_descending = is_high;
  frame_.is_superlative = true;
  return true;
}

void QuestionReader::set_order(const SqlTerm& term) {
  if (!frame_.order || !is_top_) frame_.order = term;
  if (is_top_ && !frame_.is_descending) frame_.is_descending = top_is_high_;
  role_ = Role::Select;
  continued_ = std::nullopt;
}

// The table of the last figure: its rows are what took place at some time.
int QuestionReader::figure_table() const {
  if (frame_.order && frame_.order->aggregate != Aggregate::None) return frame_.order->of.table;
  for (auto asked = frame_.select.rbegin(); asked != frame_.select.rend(); ++asked) {
    if (asked->term.aggregate != Aggregate::None) return asked->term.of.table;
  }
  return -1;
}

Sure<bool> QuestionReader::adjective(const QuestionItem& item) {
  auto column = choice_.about(std::vector<std::string>{item.concept_name}, frame_.subject);
  if (!column) return tl::unexpected(column.error());
  if (frame_.order) return doubt("two_rankings");
  frame_.order = SqlTerm{{}, *column, false, {}};
  frame_.is_descending = item.is_high;
  frame_.is_superlative = true;
  return true;
}

Sure<bool> QuestionReader::weak(const QuestionItem& item) {
  auto column = choice_.about(item.concepts, frame_.subject);
  if (!column) return tl::unexpected(column.error());
  const Aggregate wanted = figure_ && *figure_ != Aggregate::Count ? *figure_ : Aggregate::Sum;
  figure_.reset();
  counts_ = false;
  last_weak_ = SqlTerm{wanted, *column, false, {}};
  if (std::exchange(extreme_, std::nullopt)) {
    frame_.order = *last_weak_;
    frame_.is_descending = true;
    frame_.is_superlative = true;
    return true;
  }
  if (role_ == Role::Order) {
    set_order(*last_weak_);
    return true;
  }
  return put({*last_weak_});
}

}  // namespace signalbox

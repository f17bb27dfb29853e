#include <fmt/format.h>

#include <algorithm>

#include "sql/question_reading.h"

namespace signalbox {
namespace {

using Kind = QuestionItem::Kind;

}  // namespace

Sure<bool> QuestionReader::name(const QuestionItem& item) {
  const int table = choice_.table(item);
  const bool is_only_when = std::all_of(item.names.begin(), item.names.end(),
                                        [](const SaidName& each) { return each.is_when; });
  const QuestionItem* next = peek();
  if (is_only_when) {
    when_ = &item;
    return true;
  }
  // "Cancelled status": the word after a value says which column holds it.
  if (before() && (before()->kind == Kind::Value || before()->kind == Kind::Quote) && item.is_joined &&
      !frame_.filters.empty() &&
      std::any_of(item.names.begin(), item.names.end(), [&](const SaidName& each) {
        return frame_.filters.back().column == ColumnRef{each.table, each.column};
      }))
    return true;
  // "customer state": the table only says whose state.
  if (table >= 0 && next && next->kind == Kind::Name && next->is_joined && has_column(*next, table) &&
      !without_) {
    near_ = table;
    return true;
  }
  // "business category": what is meant is the last word.
  if (table >= 0 && !item.is_plural && next && next->kind == Kind::Name && next->is_joined &&
      choice_.is_table(*next) && !without_) {
    if (table != choice_.table(*next) && choice_.table_quality(item) > 1) frame_.with.push_back(table);
    return true;
  }
  // "population density": so is it with columns.
  if (table < 0 && !item.is_plural && next && next->kind == Kind::Name && next->is_joined &&
      share_table(item, *next))
    return true;
  // "the region name": the name of what was just named.
  if (before() && before()->kind == Kind::Name && item.is_joined && choice_.says_name(item) &&
      !share_table(*before(), item))
    return true;
  int near = std::exchange(near_, -1);
  if (near < 0 && next && next->kind == Kind::Name && !next->lead.empty() && choice_.is_table(*next) &&
      has_column(item, choice_.table(*next)))
    near = choice_.table(*next);
  if (stands_before_value(item, next)) return true;
  const bool is_flag = table < 0 && std::all_of(
                                        item.names.begin(), item.names.end(),
                                        [](const SaidName& each) { return each.is_flag; });
  if (is_flag && role_ == Role::Select) return flagged(item);
  if (is_or_) return doubt("or_joins");
  if (negated_) return doubt("not_what", item.text);
  if (std::exchange(without_, false)) return absent(item, table, near);
  if (waiting_number_) return counted_more(item, table, near);
  if (figure_ || extreme_) return figure(item, table, near);
  if (frequent_) return ranked_by_count(item, table, near);
  if (role_ == Role::Group) return group(item, table, near);
  if (role_ == Role::Order) return order_by(item, table, near);
  return shown(item, table, near);
}

// A name before its value ("the city of Porto", "genre Rock", "rating above 4", "customer id 7") is
// no column to show.
bool QuestionReader::stands_before_value(const QuestionItem& item, const QuestionItem* next) {
  if (!next || next->starts_sentence || without_) return false;
  if (next->kind == Kind::Value || next->kind == Kind::Quote) {
    const bool fits =
        std::any_of(next->values.begin(), next->values.end(), [&](const SaidValue& value) {
          return std::any_of(item.names.begin(), item.names.end(), [&](const SaidName& each) {
            return each.table == value.table &&
                   (each.column == value.column || (each.column < 0 && is_display(value)));
          });
        });
    const bool is_free = next->kind == Kind::Quote && next->values.empty() && has_column(item);
    if (fits && choice_.table(item) == frame_.subject && !has_column(item)) return false;
    return fits || is_free;
  }
  if (!has_column(item) || figure_ || extreme_) return false;
  if (next->kind == Kind::Number && next->is_joined) return true;
  // "names of products heavier than 2": no name is heavier than a number.
  if (!next->concept_name.empty()) return false;
  return is_phrase(next,
                   {Say::MoreThan, Say::LessThan, Say::AtLeast, Say::AtMost, Say::Equal, Say::Between,
                    Say::Contains, Say::StartsWith, Say::EndsWith, Say::Null, Say::NotNull}) &&
         remember_column(item);
}

bool QuestionReader::is_display(const SaidValue& value) const {
  const std::vector<int> shown = display_columns(schema_, value.table);
  return std::find(shown.begin(), shown.end(), value.column) != shown.end();
}

bool QuestionReader::share_table(const QuestionItem& a, const QuestionItem& b) const {
  return std::any_of(a.names.begin(), a.names.end(), [&](const SaidName& name) {
    return name.column >= 0 && std::any_of(b.names.begin(), b.names.end(), [&](const SaidName& other) {
             return other.column >= 0 && !other.is_when && !other.is_shown && other.table == name.table;
           });
  });
}

bool QuestionReader::remember_column(const QuestionItem& item) {
  auto column = choice_.column(item, frame_.subject, table_before(at_));
  if (!column) return false;
  const bool is_of_numbers =
      is_phrase(peek(), {Say::MoreThan, Say::LessThan, Say::AtLeast, Say::AtMost, Say::Between});
  if (is_of_numbers && column_of(*column).kind == SqlKind::Text) return false;
  compared_ = *column;
  return true;
}

Sure<bool> QuestionReader::absent(const QuestionItem& item, int table, int near) {
  if (table >= 0 && table != frame_.subject) {
    frame_.without.push_back(table);
    return true;
  }
  auto column = choice_.column(item, frame_.subject, near);
  if (!column) return tl::unexpected(column.error());
  frame_.filters.push_back({*column, Compare::Null, {}, {}});
  return true;
}

Sure<bool> QuestionReader::group(const QuestionItem& item, int table, int near) {
  continued_ = Role::Group;
  role_ = Role::Select;
  const bool has_own = near >= 0 || has_column(item, frame_.subject);
  if (table >= 0 && !has_own) {
    frame_.groups.push_back({{{}, {table, -1}, false, {}}});
    return true;
  }
  auto column = choice_.column(item, frame_.subject, near);
  if (!column) return tl::unexpected(column.error());
  frame_.groups.push_back({{{}, *column, false, {}}});
  return true;
}

Sure<bool> QuestionReader::order_by(const QuestionItem& item, int table, int near) {
  if (!has_column(item)) {
    if (table < 0) return doubt("no_order", item.text);
    const std::vector<int> shown = display_columns(schema_, table);
    set_order({{}, {table, shown.front()}, false, {}});
    return true;
  }
  auto column = choice_.column(item, frame_.subject, near);
  if (!column) return tl::unexpected(column.error());
  set_order({{}, *column, false, {}});
  return true;
}

Sure<bool> QuestionReader::shown(const QuestionItem& item, int table, int near) {
  const bool is_flag = std::any_of(item.names.begin(), item.names.end(),
                                   [&](const SaidName& each) { return each.is_flag; });
  if (is_flag) return flagged(item);
  // "the season" of match_season that has such a column is no more than the column.
  const bool is_own_column =
      table == frame_.subject && choice_.table_quality(item) == 1 && has_column(item, frame_.subject);
  if (table >= 0 && near < 0 && !is_own_column &&
      (table == frame_.subject || !has_column(item, frame_.subject))) {
    const bool is_one_of_several = is_phrase(before(), {Say::And}) || is_phrase(peek(), {Say::And});
    if (in_output_ && (table != frame_.subject || is_one_of_several))
      return put({{{}, {table, -1}, false, {}}});
    if (table == frame_.subject) {
      if (frame_.has_subject_named && !in_output_) return doubt("named_twice", item.text);
      frame_.has_subject_named = true;
      if (is_top_) frame_.subject_is_plural = item.is_plural;
    } else {
      const bool is_another_thing =
          is_phrase(before(), {Say::And}) && at_ >= 2 && items_[at_ - 2].kind == Kind::Name &&
          (choice_.table(items_[at_ - 2]) < 0 || choice_.table(items_[at_ - 2]) == frame_.subject) &&
          frame_.with.empty();
      if (is_another_thing) return doubt("two_things");
      frame_.with.push_back(table);
    }
    return true;
  }
  // "the name of the customers" that have a first and a last one
  if (names_people(item, near >= 0 ? near : frame_.subject))
    return put({{{}, {near >= 0 ? near : frame_.subject, -1}, false, {}}});
  auto column = choice_.column(item, frame_.subject, near);
  if (!column && in_output_) column = asked_before(item, column);
  if (!column) return tl::unexpected(column.error());
  if (frame_.subject < 0) frame_.subject = column->table;
  if (frame_.select.empty() && !in_output_ && !frame_.has_subject_named)
    frame_.subject_is_plural = item.is_plural;
  // "the cities and their population"
  if (is_phrase(before(), {Say::And}) && frame_.has_subject_named && frame_.select.empty() &&
      !in_output_ && column->table == frame_.subject)
    put({{{}, {frame_.subject, -1}, false, {}}});
  const std::vector<AskedTerm>& list = in_output_ ? frame_.output : frame_.select;
  // "the average price and score": of both.
  if (is_phrase(before(), {Say::And}) && !list.empty() && is_measure(list.back().term, *column))
    return put({{list.back().term.aggregate, *column, false, {}}});
  return put({{{}, *column, false, {}}});
}

// Whether the figure could as well be of that column of the same table.
bool QuestionReader::is_measure(const SqlTerm& figure, const ColumnRef& column) const {
  return figure.aggregate != Aggregate::None && figure.aggregate != Aggregate::Count &&
         figure.of.column >= 0 && figure.of.table == column.table &&
         column_of(figure.of).kind == SqlKind::Number && column_of(column).kind == SqlKind::Number &&
         !column_of(column).is_key;
}

// "What are the easiness scores …? Show the scores": those that were asked for.
Sure<ColumnRef> QuestionReader::asked_before(const QuestionItem& item,
                                             const Sure<ColumnRef>& otherwise) const {
  for (const AskedTerm& asked : frame_.select) {
    for (const SaidName& name : item.names) {
      if (name.column >= 0 && asked.term.of == ColumnRef{name.table, name.column}) return asked.term.of;
    }
  }
  return otherwise;
}

bool QuestionReader::names_people(const QuestionItem& item, int table) const {
  return table >= 0 && std::any_of(item.names.begin(), item.names.end(), [&](const SaidName& name) {
           return name.table == table && name.is_full;
         });
}

Sure<bool> QuestionReader::flagged(const QuestionItem& item) {
  QuestionItem flags = item;
  std::erase_if(flags.names, [](const SaidName& each) { return !each.is_flag; });
  auto column = choice_.column(flags, frame_.subject, -1);
  if (!column) return tl::unexpected(column.error());
  const bool is_true = !std::exchange(negated_, false);
  const bool is_word =
      column_of(*column).kind == SqlKind::Flag && schema_.dialect == SqlDialect::Postgres;
  frame_.filters.push_back(
      {*column, Compare::Equal, {is_word ? (is_true ? "TRUE" : "FALSE") : (is_true ? "1" : "0")}, {}});
  return true;
}

Sure<bool> QuestionReader::ranked_by_count(const QuestionItem& item, int table, int near) {
  const bool is_frequent = *std::exchange(frequent_, std::nullopt);
  SqlTerm count{Aggregate::Count, {frame_.subject, -1}, false, {}};
  if (has_column(item)) {
    auto column = choice_.column(item, frame_.subject, near);
    if (!column) return tl::unexpected(column.error());
    frame_.groups.push_back({{{}, *column, false, {}}});
    count.of.table = column->table;
  } else if (table >= 0) {
    return doubt("counted_by_what", item.text);
  }
  frame_.order = count;
  frame_.is_descending = is_frequent;
  frame_.is_superlative = true;
  frame_.subject_is_plural = item.is_plural;
  return true;
}

}  // namespace signalbox

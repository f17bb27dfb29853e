#include <fmt/format.h>

#include <algorithm>

#include "sql/question_reading.h"

namespace signalbox {
namespace {

using Kind = QuestionItem::Kind;

std::string number_text(double number) {
  return fmt::format("{}", number);
}

}  // namespace

Sure<bool> QuestionReader::compare(Compare how, bool is_range) {
  compare_ = how;
  is_range_ = is_range;
  return true;
}

Sure<bool> QuestionReader::value(const QuestionItem& item) {
  if (like_) return like(item);
  const QuestionItem* next = peek();
  const QuestionItem* near = before() && before()->kind == Kind::Name ? before() : nullptr;
  const bool is_named_after = next && next->kind == Kind::Name && next->is_joined;
  // "Rock tracks", "students in the Computer Science program": what follows says more than what stands
  // apart.
  if (is_named_after && (!near || !item.is_joined)) near = next;
  // "the club with name 'AIB'": the name of clubs.
  QuestionItem owned;
  if (near && near == before() && at_ > 1) {
    const int owner = table_before(at_ - 1);
    if (owner >= 0 && has_column(*near, owner)) {
      owned = *near;
      std::erase_if(owned.names, [&](const SaidName& each) { return each.table != owner; });
      near = &owned;
    }
  }
  if (figure_ == Aggregate::Count && frame_.subject >= 0 && near == nullptr) counts_rows();
  if (item.kind == Kind::Quote && item.values.empty()) return unseen(item, near);
  const bool is_of_column =
      near && std::any_of(item.values.begin(), item.values.end(), [&](const SaidValue& each) {
        return std::any_of(near->names.begin(), near->names.end(), [&](const SaidName& name) {
          return name.table == each.table && name.column == each.column;
        });
      });
  if (near == next && near && !choice_.is_table(*near) && has_column(*near) && !is_of_column) {
    if (item.kind == Kind::Quote) return unseen(item, near);
    return doubt("none_called", near->text, item.text);
  }
  // "the Computer Science program": a value of another table is not what is meant.
  if (near == next && near && choice_.is_table(*near) && !has_column(*near, frame_.subject)) {
    const int table = choice_.table(*near);
    const bool is_of_it = std::any_of(item.values.begin(), item.values.end(),
                                      [&](const SaidValue& each) { return each.table == table; });
    if (!is_of_it && table != frame_.subject) return doubt("none_called", near->text, item.text);
  }
  auto filter = choice_.value(item, frame_.subject, near);
  if (!filter) return tl::unexpected(filter.error());
  if (std::exchange(negated_, false)) filter->compare = Compare::NotEqual;
  const bool is_or = std::exchange(is_or_, false);
  // "Brazil and Canada": any of them.
  for (SqlFilter& known : frame_.filters) {
    if (known.column == filter->column && known.compare == filter->compare &&
        known.compare == Compare::Equal) {
      known.values.insert(known.values.end(), filter->values.begin(), filter->values.end());
      return true;
    }
  }
  if (is_or) return doubt("or_joins");
  frame_.filters.push_back(*std::move(filter));
  return true;
}

// The table named last before an item, with nothing but "with" or "whose" between; -1: none.
int QuestionReader::table_before(std::size_t index) const {
  while (index > 0 && is_phrase(&items_[index - 1], {Say::Have, Say::Which})) --index;
  return index > 0 && items_[index - 1].kind == Kind::Name ? choice_.table(items_[index - 1]) : -1;
}

// "How many tasks": the value stands for the rows that have it.
void QuestionReader::counts_rows() {
  figure_.reset();
  counts_ = false;
  put({{Aggregate::Count, {frame_.subject, -1}, std::exchange(is_distinct_count_, false), {}}});
}

// A text in quotes that no sample holds: the column must be said, or be what names the subject.
Sure<bool> QuestionReader::unseen(const QuestionItem& item, const QuestionItem* near) {
  ColumnRef column{frame_.subject, -1};
  if (near && has_column(*near)) {
    auto found = choice_.column(*near, frame_.subject, -1);
    if (!found) return tl::unexpected(found.error());
    column = *found;
  } else {
    const int table = near && choice_.is_table(*near) ? choice_.table(*near) : frame_.subject;
    // "written by 'Jane Roe'" is nobody's title.
    if (table < 0 || (!near && is_phrase(before(), {Say::By})))
      return doubt("nothing_called", item.text);
    const std::vector<int> shown = display_columns(schema_, table);
    if (shown.size() != 1) return doubt("holds_what", item.text);
    column = {table, shown.front()};
  }
  const Compare how = std::exchange(negated_, false) ? Compare::NotEqual : Compare::Equal;
  frame_.filters.push_back({column, how, {sql_text(item.text)}, {}});
  return true;
}

Sure<bool> QuestionReader::like(const QuestionItem& item) {
  const Say how = *std::exchange(like_, std::nullopt);
  std::optional<ColumnRef> column = std::exchange(compared_, std::nullopt);
  if (!column && frame_.subject >= 0) {
    const std::vector<int> shown = display_columns(schema_, frame_.subject);
    if (shown.size() == 1) column = ColumnRef{frame_.subject, shown.front()};
  }
  if (!column) return doubt("searched_what");
  if (item.text.find_first_of("%_") != std::string::npos) return doubt("pattern_signs");
  const std::string pattern =
      (how == Say::StartsWith ? "" : "%") + item.text + (how == Say::EndsWith ? "" : "%");
  frame_.filters.push_back({*column, Compare::Like, {sql_text(pattern)}, {}});
  return true;
}

Sure<bool> QuestionReader::number(const QuestionItem& item) {
  const std::string text = number_text(item.number);
  if (compare_) return compared_number(text);
  const QuestionItem* last = before();
  const QuestionItem* next = peek();
  const bool counts_rows = item.number >= 1 && item.number <= 100000 &&
                           item.number == static_cast<double>(static_cast<long>(item.number));
  if (counts_rows && (is_phrase(last, {Say::Top, Say::Bottom}) ||
                      (next && (next->kind == Kind::Adjective ||
                                is_phrase(next, {Say::Highest, Say::Lowest, Say::Most, Say::Fewest,
                                                 Say::Frequent, Say::Rare, Say::Top, Say::Bottom}))))) {
    frame_.limit = static_cast<std::size_t>(item.number);
    return true;
  }
  // "las 5 canciones más largas": the number before what is ranked.
  if (counts_rows && next && next->kind == Kind::Name && peek(2) &&
      (peek(2)->kind == Kind::Adjective ||
       is_phrase(peek(2), {Say::Highest, Say::Lowest, Say::Most, Say::Fewest, Say::Have, Say::Frequent,
                           Say::Rare}))) {
    frame_.limit = static_cast<std::size_t>(item.number);
    return true;
  }
  if (last && last->kind == Kind::Name && has_column(*last) && item.is_joined) {
    auto column = choice_.column(*last, frame_.subject, at_ > 1 ? table_before(at_ - 1) : -1);
    if (!column) return tl::unexpected(column.error());
    const bool is_text = column_of(*column).kind == SqlKind::Text;
    frame_.filters.push_back({*column, Compare::Equal, {is_text ? sql_text(text) : text}, {}});
    return true;
  }
  return doubt("number_of_what", item.text);
}

Sure<bool> QuestionReader::compared_number(const std::string& text) {
  // "between 5 and 10"
  if (is_range_ && is_phrase(peek(), {Say::And}) && peek(2) && peek(2)->kind == Kind::Number) {
    if (!compared_) return doubt("between_what");
    frame_.filters.push_back({*compared_, Compare::GreaterEqual, {text}, {}});
    frame_.filters.push_back({*compared_, Compare::LessEqual, {number_text(peek(2)->number)}, {}});
    at_ += 2;
    compared_.reset();
    compare_.reset();
    is_range_ = false;
    return true;
  }
  if (is_range_) return doubt("range_open");
  if (compared_) {
    frame_.filters.push_back(
        {*std::exchange(compared_, std::nullopt), *std::exchange(compare_, std::nullopt), {text}, {}});
    return true;
  }
  waiting_number_ = text;
  return true;
}

Sure<bool> QuestionReader::date(const QuestionItem& item) {
  const QuestionItem* hint = std::exchange(when_, nullptr);
  auto column = choice_.date(frame_.subject, hint, figure_table());
  if (auto year = hint ? std::nullopt : own_year(item.span, column)) {
    frame_.filters.push_back(*std::move(year));
    return true;
  }
  if (column) {
    frame_.filters.push_back({*column, Compare::During, {}, item.span});
    return true;
  }
  if (!item.span.from || !item.span.to ||
      (item.span.grain != DateGrain::Year && item.span.grain != DateGrain::Month))
    return tl::unexpected(column.error());
  // A table that keeps years and months as columns of their own.
  auto year = choice_.about(std::vector<std::string>{"year"}, frame_.subject);
  if (!year) return tl::unexpected(column.error());
  frame_.filters.push_back({*year, Compare::Equal, {day_text(*item.span.from).substr(0, 4)}, {}});
  if (item.span.grain == DateGrain::Year) return true;
  const auto month = month_filter(year->table, day_text(*item.span.from).substr(5, 2));
  if (!month) return tl::unexpected(column.error());
  frame_.filters.push_back(*month);
  return true;
}

// "movies made before 2000" of a table that has a year, where dates are only in another one.
std::optional<SqlFilter> QuestionReader::own_year(const DateSpan& span,
                                                  const Sure<ColumnRef>& date) const {
  if (frame_.subject < 0 || (date && date->table == frame_.subject)) return std::nullopt;
  const auto year = choice_.about(std::vector<std::string>{"year"}, frame_.subject);
  const auto starts_year = [](const std::optional<CivilDay>& day) {
    return !day || day_text(*day).ends_with("-01-01");
  };
  if (!year || year->table != frame_.subject || !starts_year(span.from) || !starts_year(span.to))
    return std::nullopt;
  const auto text = [](CivilDay day) { return day_text(day).substr(0, 4); };
  if (span.from && span.to) {
    if (std::stoi(text(*span.to)) != std::stoi(text(*span.from)) + 1) return std::nullopt;
    return SqlFilter{*year, Compare::Equal, {text(*span.from)}, {}};
  }
  if (span.from) return SqlFilter{*year, Compare::GreaterEqual, {text(*span.from)}, {}};
  if (span.to) return SqlFilter{*year, Compare::Less, {text(*span.to)}, {}};
  return std::nullopt;
}

// The month's number, or the name the column's own values give it.
std::optional<SqlFilter> QuestionReader::month_filter(int table, const std::string& number) const {
  const int place = schema_.tables[static_cast<std::size_t>(table)].find("month");
  if (place < 0) return std::nullopt;
  const SqlColumn& column = column_of({table, place});
  const int wanted = std::stoi(number);
  if (column.kind == SqlKind::Number)
    return SqlFilter{{table, place}, Compare::Equal, {std::to_string(wanted)}, {}};
  bool has_names = false;
  for (const std::string& sample : column.samples) {
    const int month = choice_.month_number(sample);
    has_names = has_names || month > 0;
    if (month == wanted) return SqlFilter{{table, place}, Compare::Equal, {sql_text(sample)}, {}};
  }
  if (!has_names) return std::nullopt;
  return SqlFilter{{table, place}, Compare::Equal, {sql_text(choice_.month_name(wanted))}, {}};
}

Sure<bool> QuestionReader::unit(const QuestionItem& item) {
  if (!item.is_adverb && role_ != Role::Group && role_ != Role::Order)
    return doubt("unknown_word", item.text);
  auto column = choice_.date(frame_.subject, std::exchange(when_, nullptr), figure_table());
  if (!column) return tl::unexpected(column.error());
  const SqlTerm term{{}, *column, false, item.grain};
  if (role_ == Role::Order && !item.is_adverb) {
    set_order(term);
  } else {
    frame_.groups.push_back({term});
    continued_ = Role::Group;
    role_ = Role::Select;
  }
  return true;
}

}  // namespace signalbox

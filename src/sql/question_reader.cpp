#include "sql/question_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace signalbox {
namespace {

using Kind = QuestionItem::Kind;
using Done = Sure<bool>;

enum class Role { Select, Group, Order };

tl::unexpected<SqlDoubt> doubt(std::string reason) {
  return tl::unexpected(SqlDoubt{std::move(reason), {}});
}

std::string number_text(double number) {
  return fmt::format("{}", number);
}

class QuestionReader {
 public:
  QuestionReader(const std::vector<QuestionItem>& items, const SqlSchema& schema, NameChoice& choice)
      : items_(items), schema_(schema), choice_(choice) {}

  Sure<QuestionFrame> read() {
    for (const QuestionItem& item : items_) {
      if (item.kind == Kind::Unknown)
        return doubt(fmt::format("I do not know what '{}' means here", item.text));
    }
    find_subject();
    for (at_ = 0; at_ < items_.size(); ++at_) {
      if (at_ > 0 && items_[at_].starts_sentence) begin_sentence();
      if (auto done = take(items_[at_]); !done) return tl::unexpected(done.error());
    }
    if (auto done = finish(); !done) return tl::unexpected(done.error());
    return std::move(frame_);
  }

 private:
  const QuestionItem* peek(std::size_t ahead = 1) const {
    return at_ + ahead < items_.size() ? &items_[at_ + ahead] : nullptr;
  }
  const QuestionItem* before() const { return at_ > 0 ? &items_[at_ - 1] : nullptr; }
  bool is_phrase(const QuestionItem* item, std::initializer_list<Say> says) const {
    return item && item->kind == Kind::Phrase &&
           std::find(says.begin(), says.end(), item->say) != says.end();
  }
  bool has_column(const QuestionItem& item, int table = -1) const {
    return std::any_of(item.names.begin(), item.names.end(), [&](const SaidName& name) {
      return name.column >= 0 && !name.is_when && (table < 0 || name.table == table);
    });
  }
  const SqlColumn& column_of(const ColumnRef& ref) const {
    return schema_.tables[static_cast<std::size_t>(ref.table)]
        .columns[static_cast<std::size_t>(ref.column)];
  }

  // The first table that is neither what figures are for each of, nor a word before its own column's
  // name.
  void find_subject() {
    bool is_group = false;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const QuestionItem& item = items_[i];
      if (item.kind == Kind::Phrase)
        is_group = item.say == Say::Each || (is_group && item.say == Say::And);
      if (item.kind != Kind::Name) continue;
      int table = choice_.table(item);
      for (const SaidName& each : item.names) {
        if (table < 0 && each.says_table) table = each.table;
      }
      if (table >= 0) choice_.name_table(table);
      const QuestionItem* next = i + 1 < items_.size() ? &items_[i + 1] : nullptr;
      if (!item.is_plural && next && next->kind == Kind::Name && next->is_joined &&
          choice_.is_table(*next))
        continue;
      if (table >= 0 && !is_group && frame_.subject < 0) {
        frame_.subject = table;
        frame_.subject_is_plural = item.is_plural;
      }
      is_group = false;
    }
    if (frame_.subject >= 0) return;
    // Tasks may be rows of `nodes` whose type says so.
    for (const QuestionItem& item : items_) {
      if (item.kind != Kind::Value || item.values.size() != 1) continue;
      if (item.values.front().is_rare) continue;
      frame_.subject = item.values.front().table;
      frame_.subject_is_plural = item.is_plural;
      choice_.name_table(frame_.subject);
      return;
    }
  }

  void begin_sentence() {
    role_ = Role::Select;
    continued_.reset();
    in_output_ = is_phrase(&items_[at_], {Say::Show});
  }

  Done take(const QuestionItem& item) {
    switch (item.kind) {
      case Kind::Phrase:
        return phrase(item);
      case Kind::Name:
        return name(item);
      case Kind::Value:
      case Kind::Quote:
        return value(item);
      case Kind::Number:
        return number(item);
      case Kind::Date:
        return date(item);
      case Kind::Unit:
        return unit(item);
      case Kind::Adjective:
        return adjective(item);
      case Kind::Weak:
        return weak(item);
      case Kind::Unknown:
        break;
    }
    return doubt(fmt::format("I do not know what '{}' means here", item.text));
  }

  // ---- phrases

  Done phrase(const QuestionItem& item) {
    switch (item.say) {
      case Say::Count:
        counts_ = true;
        is_total_ = figure_ == Aggregate::Sum;
        if (figure_ != Aggregate::Average) figure_ = Aggregate::Count;
        break;
      case Say::Sum:
        figure_ = Aggregate::Sum;
        break;
      case Say::Average:
        figure_ = Aggregate::Average;
        break;
      case Say::Maximum:
        figure_ = Aggregate::Maximum;
        break;
      case Say::Minimum:
        figure_ = Aggregate::Minimum;
        break;
      case Say::Highest:
      case Say::Lowest:
        extreme_ = item.say == Say::Highest;
        break;
      case Say::Most:
      case Say::Fewest:
        return most(item.say == Say::Most);
      case Say::Frequent:
      case Say::Rare:
        frequent_ = item.say == Say::Frequent;
        break;
      case Say::Top:
      case Say::Bottom:
        is_top_ = true;
        frame_.is_superlative = true;
        top_is_high_ = item.say == Say::Top;
        break;
      case Say::Each:
        role_ = Role::Group;
        break;
      case Say::By:
        by();
        break;
      case Say::Order:
        role_ = Role::Order;
        break;
      case Say::Descending:
      case Say::Ascending:
        frame_.is_descending = item.say == Say::Descending;
        role_ = Role::Select;
        break;
      case Say::Alphabetical:
        frame_.is_alphabetical = true;
        role_ = Role::Select;
        break;
      case Say::MoreThan:
        return compare(Compare::Greater);
      case Say::LessThan:
        return compare(Compare::Less);
      case Say::AtLeast:
        return compare(Compare::GreaterEqual);
      case Say::AtMost:
        return compare(Compare::LessEqual);
      case Say::Equal:
        return compare(Compare::Equal);
      case Say::Between:
        return compare(Compare::GreaterEqual, true);
      case Say::Not:
        negated_ = true;
        break;
      case Say::Without:
        without_ = true;
        break;
      case Say::Distinct:
        (figure_ == Aggregate::Count ? is_distinct_count_ : frame_.is_distinct) = true;
        break;
      case Say::Contains:
      case Say::StartsWith:
      case Say::EndsWith:
        like_ = item.say;
        break;
      case Say::And:
        if (continued_) role_ = *continued_;
        break;
      case Say::Or:
        is_or_ = true;
        break;
      case Say::Which:
        frame_.asks_which = frame_.asks_which || !in_output_;
        break;
      case Say::Null:
      case Say::NotNull:
        return null(item.say == Say::Null);
      case Say::Respective:
        wants_count_ = true;
        break;
      case Say::Any:
      case Say::Have:
      case Say::Show:
      case Say::Named:
      case Say::True:
      case Say::Stop:
      case Say::Verbs:
      case Say::End:
        break;
    }
    return true;
  }

  // "by": what a ranking goes by, else what figures are for each of; else no more than "of".
  void by() {
    const bool has_figure =
        figure_.has_value() ||
        std::any_of(frame_.select.begin(), frame_.select.end(),
                    [](const AskedTerm& asked) { return asked.term.aggregate != Aggregate::None; });
    const QuestionItem* next = peek();
    const bool leads_to_value = next && next->kind == Kind::Name && peek(2) &&
                                (peek(2)->kind == Kind::Value || peek(2)->kind == Kind::Quote);
    // "received by publications": no more than whose they are.
    if (items_[at_].after_verb) return;
    if (is_top_ && !frame_.order) {
      role_ = Role::Order;
    } else if (has_figure && !leads_to_value) {
      role_ = Role::Group;
    }
  }

  Done most(bool is_most) {
    extreme_ = is_most;
    const QuestionItem* next = peek();
    const bool leads_on =
        next && !next->starts_sentence &&
        (next->kind == Kind::Name || next->kind == Kind::Weak || next->kind == Kind::Value);
    if (leads_on) {
      counts_ = true;
      figure_ = Aggregate::Count;
      return true;
    }
    // "who spent the most"
    if (!last_weak_) return doubt("it is not said the most of what");
    extreme_.reset();
    frame_.order = *last_weak_;
    frame_.is_descending = is_most;
    frame_.is_superlative = true;
    std::erase_if(frame_.select, [&](const AskedTerm& asked) { return asked.term == *last_weak_; });
    return true;
  }

  Done compare(Compare how, bool is_range = false) {
    compare_ = how;
    is_range_ = is_range;
    return true;
  }

  Done null(bool is_null) {
    const auto column = last_column();
    if (!column) return doubt("it is not said what is missing");
    frame_.filters.push_back({*column, is_null ? Compare::Null : Compare::NotNull, {}, {}});
    return true;
  }

  // The plain column that was just put down to be shown, taken back for a comparison.
  std::optional<ColumnRef> last_column() {
    std::vector<AskedTerm>& list = in_output_ ? frame_.output : frame_.select;
    if (list.empty() || list.back().is_table() || list.back().term.aggregate != Aggregate::None)
      return std::nullopt;
    const ColumnRef out = list.back().term.of;
    list.pop_back();
    return out;
  }

  // ---- names

  Done name(const QuestionItem& item) {
    const int table = choice_.table(item);
    const bool is_only_when = std::all_of(item.names.begin(), item.names.end(),
                                          [](const SaidName& each) { return each.is_when; });
    const QuestionItem* next = peek();
    if (is_only_when) {
      when_ = &item;
      return true;
    }
    // "customer state": the table only says whose state.
    if (table >= 0 && next && next->kind == Kind::Name && next->is_joined && has_column(*next, table) &&
        !without_) {
      near_ = table;
      return true;
    }
    // "business category": what is meant is the last word.
    if (table >= 0 && !item.is_plural && next && next->kind == Kind::Name && next->is_joined &&
        choice_.is_table(*next) && !without_) {
      if (table != choice_.table(*next)) frame_.with.push_back(table);
      return true;
    }
    // "population density": so is it with columns.
    if (table < 0 && !item.is_plural && next && next->kind == Kind::Name && next->is_joined &&
        share_table(item, *next))
      return true;
    int near = std::exchange(near_, -1);
    if (near < 0 && next && next->kind == Kind::Name && !next->lead.empty() &&
        choice_.is_table(*next) && has_column(item, choice_.table(*next)))
      near = choice_.table(*next);
    if (stands_before_value(item, next)) return true;
    if (is_or_) return doubt("I cannot tell what 'or' joins");
    if (negated_) return doubt(fmt::format("I cannot tell what is not meant by '{}'", item.text));
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
  bool stands_before_value(const QuestionItem& item, const QuestionItem* next) {
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
    return is_phrase(next,
                     {Say::MoreThan, Say::LessThan, Say::AtLeast, Say::AtMost, Say::Equal, Say::Between,
                      Say::Contains, Say::StartsWith, Say::EndsWith, Say::Null, Say::NotNull}) &&
           remember_column(item);
  }

  bool is_display(const SaidValue& value) const {
    const std::vector<int> shown = display_columns(schema_, value.table);
    return std::find(shown.begin(), shown.end(), value.column) != shown.end();
  }

  bool share_table(const QuestionItem& a, const QuestionItem& b) const {
    return std::any_of(a.names.begin(), a.names.end(), [&](const SaidName& name) {
      return name.column >= 0 && has_column(b, name.table);
    });
  }

  bool remember_column(const QuestionItem& item) {
    auto column = choice_.column(item, frame_.subject, -1);
    if (!column) return false;
    compared_ = *column;
    return true;
  }

  Done absent(const QuestionItem& item, int table, int near) {
    if (table >= 0 && table != frame_.subject) {
      frame_.without.push_back(table);
      return true;
    }
    auto column = choice_.column(item, frame_.subject, near);
    if (!column) return tl::unexpected(column.error());
    frame_.filters.push_back({*column, Compare::Null, {}, {}});
    return true;
  }

  // "more than 5 tracks", "fewer than 1000 people"
  Done counted_more(const QuestionItem& item, int table, int near) {
    const std::string number = *std::exchange(waiting_number_, std::nullopt);
    const Compare how = *std::exchange(compare_, std::nullopt);
    const bool has_own = has_column(item, frame_.subject);
    if (table >= 0 && table != frame_.subject && !has_own) {
      frame_.having.push_back({{Aggregate::Count, {table, -1}, false, {}}, how, number});
      return true;
    }
    auto column = choice_.column(item, frame_.subject, near);
    if (!column) return tl::unexpected(column.error());
    if (column_of(*column).kind != SqlKind::Number)
      return doubt(fmt::format("'{}' is no number to compare with", item.text));
    frame_.filters.push_back({*column, how, {number}, {}});
    return true;
  }

  Sure<SqlTerm> figure_term(const QuestionItem& item, int table, int near) {
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
        if (wanted == Aggregate::Average) return SqlTerm{Aggregate::Average, *column, false, {}};
        const bool adds_up = is_total || !extreme_;
        return SqlTerm{adds_up ? Aggregate::Sum : Aggregate::None, *column, false, {}};
      }
      if (wanted == Aggregate::Average)
        return doubt("an average of counts needs more than I can write");
      if (table >= 0 && near < 0) return rows_of(table, is_distinct);
      auto column = choice_.column(item, frame_.subject, near);
      if (!column) return tl::unexpected(column.error());
      if (column_of(*column).kind == SqlKind::Number && !column_of(*column).is_key && !is_distinct)
        return doubt(fmt::format("{} is a number already", choice_.text(*column)));
      return SqlTerm{Aggregate::Count, *column, true, {}};
    }
    if (!has_column(item)) {
      if (wanted == Aggregate::Sum && table >= 0 && !holds_money(table))
        return SqlTerm{Aggregate::Count, {table, -1}, is_distinct, {}};
      return doubt(fmt::format("'{}' is no column to work out a figure of", item.text));
    }
    auto column = choice_.column(item, frame_.subject, near);
    if (!column) return tl::unexpected(column.error());
    const bool needs_number = wanted == Aggregate::Sum || wanted == Aggregate::Average;
    if (needs_number && column_of(*column).kind != SqlKind::Number)
      return doubt(fmt::format("{} holds no numbers", choice_.text(*column)));
    return SqlTerm{wanted, *column, false, {}};
  }

  // Rows that are counts themselves are added up.
  SqlTerm rows_of(int table, bool is_distinct) const {
    const int count = schema_.tables[static_cast<std::size_t>(table)].find("count");
    if (count >= 0 && !is_distinct && column_of({table, count}).kind == SqlKind::Number)
      return {Aggregate::Sum, {table, count}, false, {}};
    return {Aggregate::Count, {table, -1}, is_distinct, {}};
  }

  bool holds_money(int table) const {
    return choice_.about(std::vector<std::string>{"total", "amount", "price"}, table).has_value();
  }

  Done figure(const QuestionItem& item, int table, int near) {
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
  Done extreme(SqlTerm term, bool is_high) {
    const bool asks_rows = frame_.has_subject_named || is_top_ || frame_.asks_which ||
                           !frame_.select.empty() || in_output_;
    if (!asks_rows && term.aggregate == Aggregate::None) {
      term.aggregate = is_high ? Aggregate::Maximum : Aggregate::Minimum;
      put({term});
      return true;
    }
    if (frame_.order) {
      if (*frame_.order == term) return true;
      return doubt("two rankings at once are more than I can write");
    }
    frame_.order = term;
    frame_.is_descending = is_high;
    frame_.is_superlative = true;
    return true;
  }

  void set_order(const SqlTerm& term) {
    if (!frame_.order || !is_top_) frame_.order = term;
    if (is_top_ && !frame_.is_descending) frame_.is_descending = top_is_high_;
    role_ = Role::Select;
    continued_ = std::nullopt;
  }

  Done ranked_by_count(const QuestionItem& item, int table, int near) {
    const bool is_frequent = *std::exchange(frequent_, std::nullopt);
    SqlTerm count{Aggregate::Count, {frame_.subject, -1}, false, {}};
    if (has_column(item)) {
      auto column = choice_.column(item, frame_.subject, near);
      if (!column) return tl::unexpected(column.error());
      frame_.groups.push_back({{{}, *column, false, {}}});
      count.of.table = column->table;
    } else if (table >= 0) {
      return doubt(fmt::format("it is not said by what {} are counted", item.text));
    }
    frame_.order = count;
    frame_.is_descending = is_frequent;
    frame_.is_superlative = true;
    frame_.subject_is_plural = item.is_plural;
    return true;
  }

  Done group(const QuestionItem& item, int table, int near) {
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

  Done order_by(const QuestionItem& item, int table, int near) {
    if (!has_column(item)) {
      if (table < 0) return doubt(fmt::format("I cannot order by '{}'", item.text));
      const std::vector<int> shown = display_columns(schema_, table);
      set_order({{}, {table, shown.front()}, false, {}});
      return true;
    }
    auto column = choice_.column(item, frame_.subject, near);
    if (!column) return tl::unexpected(column.error());
    set_order({{}, *column, false, {}});
    return true;
  }

  Done shown(const QuestionItem& item, int table, int near) {
    const bool is_flag = std::any_of(item.names.begin(), item.names.end(), [&](const SaidName& each) {
      return each.is_flag && (each.table == frame_.subject || frame_.subject < 0);
    });
    if (is_flag) return flagged(item);
    if (table >= 0 && near < 0 && (table == frame_.subject || !has_column(item, frame_.subject))) {
      if (in_output_ && table != frame_.subject) return put({{{}, {table, -1}, false, {}}});
      if (table == frame_.subject) {
        if (frame_.has_subject_named && !in_output_)
          return doubt(fmt::format("'{}' is named twice, and may not mean the same", item.text));
        frame_.has_subject_named = true;
        if (is_top_) frame_.subject_is_plural = item.is_plural;
      } else {
        frame_.with.push_back(table);
      }
      return true;
    }
    auto column = choice_.column(item, frame_.subject, near);
    if (!column) return tl::unexpected(column.error());
    if (is_top_ && frame_.select.empty() && !in_output_) frame_.subject_is_plural = item.is_plural;
    // "the cities and their population"
    if (is_phrase(before(), {Say::And}) && frame_.has_subject_named && frame_.select.empty() &&
        !in_output_ && column->table == frame_.subject)
      put({{{}, {frame_.subject, -1}, false, {}}});
    return put({{{}, *column, false, {}}});
  }

  Done flagged(const QuestionItem& item) {
    QuestionItem flags = item;
    std::erase_if(flags.names, [](const SaidName& each) { return !each.is_flag; });
    auto column = choice_.column(flags, frame_.subject, -1);
    if (!column) return tl::unexpected(column.error());
    const bool is_true = !std::exchange(negated_, false);
    const bool is_word =
        column_of(*column).kind == SqlKind::Flag && schema_.dialect == SqlDialect::Postgres;
    frame_.filters.push_back({*column,
                              Compare::Equal,
                              {is_word ? (is_true ? "TRUE" : "FALSE") : (is_true ? "1" : "0")},
                              {}});
    return true;
  }

  bool put(AskedTerm term) {
    (in_output_ ? frame_.output : frame_.select).push_back(std::move(term));
    return true;
  }

  // ---- values, numbers, dates

  Done value(const QuestionItem& item) {
    if (like_) return like(item);
    const QuestionItem* near = before() && before()->kind == Kind::Name ? before() : nullptr;
    const QuestionItem* next = peek();
    if (!near && next && next->kind == Kind::Name && next->is_joined) near = next;
    if (figure_ == Aggregate::Count && frame_.subject >= 0 && near == nullptr) counts_rows();
    if (item.kind == Kind::Quote && item.values.empty()) return unseen(item, near);
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
    if (is_or) return doubt("I cannot tell what 'or' joins");
    frame_.filters.push_back(*std::move(filter));
    return true;
  }

  // "How many tasks": the value stands for the rows that have it.
  void counts_rows() {
    figure_.reset();
    counts_ = false;
    put({{Aggregate::Count, {frame_.subject, -1}, std::exchange(is_distinct_count_, false), {}}});
  }

  // A text in quotes that no sample holds: the column must be said, or be what names the subject.
  Done unseen(const QuestionItem& item, const QuestionItem* near) {
    ColumnRef column{frame_.subject, -1};
    if (near && has_column(*near)) {
      auto found = choice_.column(*near, frame_.subject, -1);
      if (!found) return tl::unexpected(found.error());
      column = *found;
    } else {
      const int table = near && choice_.is_table(*near) ? choice_.table(*near) : frame_.subject;
      if (table < 0) return doubt(fmt::format("nothing is called '{}'", item.text));
      const std::vector<int> shown = display_columns(schema_, table);
      if (shown.size() != 1)
        return doubt(fmt::format("I cannot tell which column holds '{}'", item.text));
      column = {table, shown.front()};
    }
    const Compare how = std::exchange(negated_, false) ? Compare::NotEqual : Compare::Equal;
    frame_.filters.push_back({column, how, {sql_text(item.text)}, {}});
    return true;
  }

  Done like(const QuestionItem& item) {
    const Say how = *std::exchange(like_, std::nullopt);
    std::optional<ColumnRef> column = std::exchange(compared_, std::nullopt);
    if (!column && frame_.subject >= 0) {
      const std::vector<int> shown = display_columns(schema_, frame_.subject);
      if (shown.size() == 1) column = ColumnRef{frame_.subject, shown.front()};
    }
    if (!column) return doubt("I cannot tell which column is searched");
    if (item.text.find_first_of("%_") != std::string::npos)
      return doubt("a pattern may hold neither % nor _");
    const std::string pattern =
        (how == Say::StartsWith ? "" : "%") + item.text + (how == Say::EndsWith ? "" : "%");
    frame_.filters.push_back({*column, Compare::Like, {sql_text(pattern)}, {}});
    return true;
  }

  Done number(const QuestionItem& item) {
    const std::string text = number_text(item.number);
    if (compare_) return compared_number(text);
    const QuestionItem* last = before();
    const QuestionItem* next = peek();
    const bool counts_rows = item.number >= 1 && item.number <= 100000 &&
                             item.number == static_cast<double>(static_cast<long>(item.number));
    if (counts_rows &&
        (is_phrase(last, {Say::Top, Say::Bottom}) ||
         (next && (next->kind == Kind::Adjective ||
                   is_phrase(next, {Say::Highest, Say::Lowest, Say::Most, Say::Fewest, Say::Frequent,
                                    Say::Rare, Say::Top, Say::Bottom}))))) {
      frame_.limit = static_cast<std::size_t>(item.number);
      return true;
    }
    // "las 5 canciones más largas": the number before what is ranked.
    if (counts_rows && next && next->kind == Kind::Name && choice_.is_table(*next) && peek(2) &&
        (peek(2)->kind == Kind::Adjective ||
         is_phrase(peek(2), {Say::Highest, Say::Lowest, Say::Most, Say::Fewest, Say::Have,
                             Say::Frequent, Say::Rare}))) {
      frame_.limit = static_cast<std::size_t>(item.number);
      return true;
    }
    if (last && last->kind == Kind::Name && has_column(*last) && item.is_joined) {
      auto column = choice_.column(*last, frame_.subject, -1);
      if (!column) return tl::unexpected(column.error());
      const bool is_text = column_of(*column).kind == SqlKind::Text;
      frame_.filters.push_back({*column, Compare::Equal, {is_text ? sql_text(text) : text}, {}});
      return true;
    }
    return doubt(fmt::format("I cannot tell what {} is the number of", item.text));
  }

  Done compared_number(const std::string& text) {
    // "between 5 and 10"
    if (is_range_ && is_phrase(peek(), {Say::And}) && peek(2) && peek(2)->kind == Kind::Number) {
      if (!compared_) return doubt("it is not said what lies between");
      frame_.filters.push_back({*compared_, Compare::GreaterEqual, {text}, {}});
      frame_.filters.push_back({*compared_, Compare::LessEqual, {number_text(peek(2)->number)}, {}});
      at_ += 2;
      compared_.reset();
      compare_.reset();
      is_range_ = false;
      return true;
    }
    if (is_range_) return doubt("a range has two numbers");
    if (compared_) {
      frame_.filters.push_back({*std::exchange(compared_, std::nullopt),
                                *std::exchange(compare_, std::nullopt),
                                {text},
                                {}});
      return true;
    }
    waiting_number_ = text;
    return true;
  }

  // The table of the last figure: its rows are what took place at some time.
  int figure_table() const {
    if (frame_.order && frame_.order->aggregate != Aggregate::None) return frame_.order->of.table;
    for (auto asked = frame_.select.rbegin(); asked != frame_.select.rend(); ++asked) {
      if (asked->term.aggregate != Aggregate::None) return asked->term.of.table;
    }
    return -1;
  }

  Done date(const QuestionItem& item) {
    const QuestionItem* hint = std::exchange(when_, nullptr);
    auto column = choice_.date(frame_.subject, hint, figure_table());
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

  // The month's number, or the name the column's own values give it.
  std::optional<SqlFilter> month_filter(int table, const std::string& number) const {
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

  Done unit(const QuestionItem& item) {
    if (!item.is_adverb && role_ != Role::Group && role_ != Role::Order)
      return doubt(fmt::format("I do not know what '{}' means here", item.text));
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

  Done adjective(const QuestionItem& item) {
    auto column = choice_.about(std::vector<std::string>{item.concept_name}, frame_.subject);
    if (!column) return tl::unexpected(column.error());
    if (frame_.order) return doubt("two rankings at once are more than I can write");
    frame_.order = SqlTerm{{}, *column, false, {}};
    frame_.is_descending = item.is_high;
    frame_.is_superlative = true;
    return true;
  }

  Done weak(const QuestionItem& item) {
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

  // "the highest mountains … altitude", "average rating, highest first": the only number that is shown.
  void order_by_what_is_shown() {
    if (frame_.order || frame_.is_alphabetical || (!extreme_ && !frame_.is_descending)) return;
    const std::vector<AskedTerm>& shown = frame_.output.empty() ? frame_.select : frame_.output;
    const AskedTerm* number = nullptr;
    for (const AskedTerm& asked : shown) {
      if (asked.is_table()) continue;
      const bool is_number =
          asked.term.aggregate != Aggregate::None || column_of(asked.term.of).kind == SqlKind::Number;
      if (!is_number) continue;
      if (number) return;
      number = &asked;
    }
    if (!number) return;
    frame_.order = number->term;
    if (extreme_) {
      frame_.is_superlative = true;
      frame_.is_descending = extreme_;
      if (number->term.aggregate == Aggregate::None && frame_.select.size() == 1)
        frame_.select.insert(frame_.select.begin(), AskedTerm{{{}, {frame_.subject, -1}, false, {}}});
    }
    extreme_.reset();
  }

  Done finish() {
    if (figure_ == Aggregate::Count && frame_.subject >= 0 && frame_.select.empty()) counts_rows();
    order_by_what_is_shown();
    if (figure_ || extreme_ || frequent_) return doubt("a figure is asked for, but not of what");
    if (compare_ || waiting_number_ || like_) return doubt("a comparison is not complete");
    if (negated_ || without_ || is_or_) return doubt("I cannot tell what is left out");
    if (when_ && frame_.filters.empty())
      return doubt(fmt::format("I do not know what '{}' means here", when_->text));
    if (wants_count_ && frame_.subject >= 0 && !frame_.order)
      frame_.select.push_back({{Aggregate::Count, {frame_.subject, -1}, false, {}}});
    if (frame_.limit > 0 && is_top_ && !frame_.order && !frame_.is_alphabetical)
      return doubt("it is not said what the ranking goes by");
    return true;
  }

  const std::vector<QuestionItem>& items_;
  const SqlSchema& schema_;
  NameChoice& choice_;
  std::size_t at_ = 0;
  QuestionFrame frame_;

  Role role_ = Role::Select;
  std::optional<Role> continued_;  // what "and" goes on with
  bool in_output_ = false;
  std::optional<Aggregate> figure_;  // waits for its name
  bool counts_ = false;
  bool is_total_ = false;
  bool is_distinct_count_ = false;
  bool wants_count_ = false;
  std::optional<bool> extreme_;  // true: the highest
  std::optional<bool> frequent_;
  bool is_top_ = false;
  bool top_is_high_ = true;
  std::optional<Compare> compare_;
  bool is_range_ = false;
  std::optional<ColumnRef> compared_;
  std::optional<std::string> waiting_number_;
  std::optional<Say> like_;
  bool negated_ = false;
  bool without_ = false;
  bool is_or_ = false;
  const QuestionItem* when_ = nullptr;
  std::optional<SqlTerm> last_weak_;
  int near_ = -1;
};

}  // namespace

Sure<QuestionFrame> read_question(const std::vector<QuestionItem>& items, const SqlSchema& schema,
                                  NameChoice& choice) {
  return QuestionReader(items, schema, choice).read();
}

}  // namespace signalbox

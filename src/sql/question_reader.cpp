#include "sql/question_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/question_reading.h"

namespace signalbox {
namespace {

using Kind = QuestionItem::Kind;

}  // namespace

Sure<QuestionFrame> QuestionReader::read() {
  for (const QuestionItem& item : items_) {
    if (item.kind == Kind::Unknown) return doubt("unknown_word", item.text);
  }
  find_subject();
  for (at_ = 0; at_ < items_.size(); ++at_) {
    if (at_ > 0 && items_[at_].starts_sentence) begin_sentence();
    if (auto done = take(items_[at_]); !done) return tl::unexpected(done.error());
  }
  if (auto done = finish(); !done) return tl::unexpected(done.error());
  return std::move(frame_);
}

const QuestionItem* QuestionReader::peek(std::size_t ahead) const {
  return at_ + ahead < items_.size() ? &items_[at_ + ahead] : nullptr;
}

bool QuestionReader::is_phrase(const QuestionItem* item, std::initializer_list<Say> says) const {
  return item && item->kind == Kind::Phrase &&
         std::find(says.begin(), says.end(), item->say) != says.end();
}

bool QuestionReader::has_column(const QuestionItem& item, int table) const {
  return std::any_of(item.names.begin(), item.names.end(), [&](const SaidName& name) {
    return name.column >= 0 && !name.is_when && (table < 0 || name.table == table);
  });
}

const SqlColumn& QuestionReader::column_of(const ColumnRef& ref) const {
  return schema_.tables[static_cast<std::size_t>(ref.table)]
      .columns[static_cast<std::size_t>(ref.column)];
}

// The first table that is neither what figures are for each of, nor a word before its own column's
// name.
void QuestionReader::find_subject() {
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

void QuestionReader::begin_sentence() {
  role_ = Role::Select;
  continued_.reset();
  in_output_ = is_phrase(&items_[at_], {Say::Show});
}

Sure<bool> QuestionReader::take(const QuestionItem& item) {
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
  return doubt("unknown_word", item.text);
}

Sure<bool> QuestionReader::phrase(const QuestionItem& item) {
  switch (item.say) {
    case Say::Count:
      counts_ = true;
      is_total_ = figure_ == Aggregate::Sum;
      if (!is_of_many(figure_)) figure_ = Aggregate::Count;
      break;
    case Say::Sum:
      says_total_ = true;
      if (figure_ && !is_listed(item)) break;
      return begin_figure(item, Aggregate::Sum);
    case Say::Average:
      return figure_word(item, Aggregate::Average);
    case Say::Maximum:
    case Say::Minimum:
      // "the aircraft with the maximum distance" is a row.
      if (is_phrase(before(), {Say::Have}) && (frame_.has_subject_named || !frame_.select.empty())) {
        extreme_ = item.say == Say::Maximum;
        break;
      }
      return figure_word(item, item.say == Say::Maximum ? Aggregate::Maximum : Aggregate::Minimum);
    case Say::Highest:
    case Say::Lowest:
      if (is_one_of_figures(item))
        return begin_figure(item, item.say == Say::Highest ? Aggregate::Maximum : Aggregate::Minimum);
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
    case Say::LessThan:
      if (!item.concept_name.empty() && !compared_) {
        auto column = choice_.about(std::vector<std::string>{item.concept_name}, frame_.subject);
        if (!column) return tl::unexpected(column.error());
        compared_ = *column;
      }
      return compare(item.is_high ? Compare::Greater : Compare::Less);
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
      // "albums that contain more than 5 tracks" only have them.
      if (!peek() || (peek()->kind != Kind::Quote && peek()->kind != Kind::Value)) break;
      like_ = item.say;
      break;
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
      frame_.asks_which = frame_.asks_which || (!in_output_ && peek() && peek()->kind == Kind::Name);
      break;
    case Say::Null:
    case Say::NotNull:
      return null(item.say == Say::Null);
    case Say::Respective:
      wants_count_ = true;
      break;
    case Say::About:
      return doubt("no_topic");
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

// "average price", "precio promedio": the word stands before its column, or right after it.
Sure<bool> QuestionReader::figure_word(const QuestionItem& item, Aggregate figure) {
  std::vector<AskedTerm>& list = in_output_ ? frame_.output : frame_.select;
  const bool is_after = item.is_joined && before() && before()->kind == Kind::Name &&
                        has_column(*before()) && !list.empty() && !list.back().is_table() &&
                        list.back().term.aggregate == Aggregate::None;
  if (is_after) {
    list.back().term.aggregate = figure;
  } else {
    return begin_figure(item, figure);
  }
  return true;
}

// "the lowest, average and highest price": each waits for the one name.
Sure<bool> QuestionReader::begin_figure(const QuestionItem& item, Aggregate figure) {
  if (figure_ && *figure_ != figure) {
    if (!is_listed(item) || counts_) return doubt("figure_of_what");
    figures_.push_back(*figure_);
  }
  figure_ = figure;
  return true;
}

// "the highest, lowest and average cost": figures, and no rows.
bool QuestionReader::is_one_of_figures(const QuestionItem& item) const {
  if (figure_ && is_listed(item)) return true;
  const QuestionItem* next = peek();
  const bool is_joined = is_phrase(next, {Say::And});
  if (is_joined) next = peek(2);
  return next && (is_joined || next->after_comma) &&
         is_phrase(next,
                   {Say::Average, Say::Sum, Say::Maximum, Say::Minimum, Say::Highest, Say::Lowest});
}

// Whether an "and" or a comma stands before it.
bool QuestionReader::is_listed(const QuestionItem& item) const {
  return item.after_comma || is_phrase(before(), {Say::And});
}

// "by": what a ranking goes by, else what figures are for each of; else no more than "of".
void QuestionReader::by() {
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

Sure<bool> QuestionReader::most(bool is_most) {
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
  if (!last_weak_) return doubt("most_of_what");
  extreme_.reset();
  frame_.order = *last_weak_;
  frame_.is_descending = is_most;
  frame_.is_superlative = true;
  std::erase_if(frame_.select, [&](const AskedTerm& asked) { return asked.term == *last_weak_; });
  return true;
}

Sure<bool> QuestionReader::null(bool is_null) {
  const auto column = last_column();
  if (!column) return doubt("missing_what");
  frame_.filters.push_back({*column, is_null ? Compare::Null : Compare::NotNull, {}, {}});
  return true;
}

// The plain column that was just put down to be shown, taken back for a comparison.
std::optional<ColumnRef> QuestionReader::last_column() {
  std::vector<AskedTerm>& list = in_output_ ? frame_.output : frame_.select;
  if (list.empty() || list.back().is_table() || list.back().term.aggregate != Aggregate::None)
    return std::nullopt;
  const ColumnRef out = list.back().term.of;
  list.pop_back();
  return out;
}

bool QuestionReader::put(AskedTerm term) {
  (in_output_ ? frame_.output : frame_.select).push_back(std::move(term));
  return true;
}

// "the highest mountains … altitude", "average rating, highest first": the only number that is shown.
void QuestionReader::order_by_what_is_shown() {
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

Sure<bool> QuestionReader::finish() {
  if (figure_ == Aggregate::Count && frame_.subject >= 0 && frame_.select.empty()) counts_rows();
  order_by_what_is_shown();
  if (figure_ || extreme_ || frequent_ || !figures_.empty()) return doubt("figure_of_what");
  if (compare_ || waiting_number_ || like_) return doubt("comparison_open");
  if (negated_ || without_ || is_or_) return doubt("left_out_what");
  if (when_ && frame_.filters.empty()) return doubt("unknown_word", when_->text);
  if (wants_count_ && frame_.subject >= 0 && (!frame_.order || !frame_.output.empty()))
    (frame_.output.empty() ? frame_.select : frame_.output)
        .push_back({{Aggregate::Count, {frame_.subject, -1}, false, {}}});
  if (frame_.limit > 0 && is_top_ && !frame_.order && !frame_.is_alphabetical)
    return doubt("ranking_by_what");
  return true;
}

Sure<QuestionFrame> read_question(const std::vector<QuestionItem>& items, const SqlSchema& schema,
                                  NameChoice& choice) {
  return QuestionReader(items, schema, choice).read();
}

}  // namespace signalbox

// The reader of questions, item by item. An inner header: read_question() is its face.
//
// A reader reads one question. Its fields are what waits: a figure for its name, a comparison for its
// number, a negation for what it leaves out. What still waits at the end is a doubt.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "sql/question_frame.h"
#include "sql/question_items.h"

namespace signalbox {

// A figure of figures: the average, the highest or the lowest of many counts.
inline bool is_of_many(const std::optional<Aggregate>& figure) {
  return figure == Aggregate::Average || figure == Aggregate::Maximum || figure == Aggregate::Minimum;
}

class QuestionReader {
 public:
  QuestionReader(const std::vector<QuestionItem>& items, const SqlSchema& schema, NameChoice& choice)
      : items_(items), schema_(schema), choice_(choice) {}

  Sure<QuestionFrame> read();

 private:
  using Done = Sure<bool>;
  enum class Role { Select, Group, Order };

  // question_reader.cpp: the walk over the items, and phrases
  const QuestionItem* peek(std::size_t ahead = 1) const;
  const QuestionItem* before() const { return at_ > 0 ? &items_[at_ - 1] : nullptr; }
  bool is_phrase(const QuestionItem* item, std::initializer_list<Say> says) const;
  bool has_column(const QuestionItem& item, int table = -1) const;
  const SqlColumn& column_of(const ColumnRef& ref) const;
  void find_subject();
  void begin_sentence();
  Done take(const QuestionItem& item);
  Done phrase(const QuestionItem& item);
  Done figure_word(const QuestionItem& item, Aggregate figure);
  bool is_listed(const QuestionItem& item) const;
  bool is_one_of_figures(const QuestionItem& item) const;
  Done begin_figure(const QuestionItem& item, Aggregate figure);
  void by();
  Done most(bool is_most);
  Done null(bool is_null);
  std::optional<ColumnRef> last_column();
  bool put(AskedTerm term);
  void order_by_what_is_shown();
  Done finish();

  // question_names.cpp: tables and columns
  Done name(const QuestionItem& item);
  bool stands_before_value(const QuestionItem& item, const QuestionItem* next);
  bool is_display(const SaidValue& value) const;
  bool share_table(const QuestionItem& a, const QuestionItem& b) const;
  bool remember_column(const QuestionItem& item);
  Done absent(const QuestionItem& item, int table, int near);
  Done group(const QuestionItem& item, int table, int near);
  Done order_by(const QuestionItem& item, int table, int near);
  Done shown(const QuestionItem& item, int table, int near);
  bool is_measure(const SqlTerm& figure, const ColumnRef& column) const;
  Sure<ColumnRef> asked_before(const QuestionItem& item, const Sure<ColumnRef>& otherwise) const;
  bool names_people(const QuestionItem& item, int table) const;
  Done flagged(const QuestionItem& item);
  Done ranked_by_count(const QuestionItem& item, int table, int near);

  // question_figures.cpp: counts, sums, averages, extremes
  Done counted_more(const QuestionItem& item, int table, int near);
  Sure<SqlTerm> figure_term(const QuestionItem& item, int table, int near);
  SqlTerm rows_of(int table, bool is_distinct) const;
  bool holds_money(int table) const;
  Done figure(const QuestionItem& item, int table, int near);
  Done extreme(SqlTerm term, bool is_high);
  void set_order(const SqlTerm& term);
  int figure_table() const;
  Done adjective(const QuestionItem& item);
  Done weak(const QuestionItem& item);

  // question_values.cpp: values, numbers, dates
  Done compare(Compare how, bool is_range = false);
  Done value(const QuestionItem& item);
  void counts_rows();
  Done unseen(const QuestionItem& item, const QuestionItem* near);
  int table_before(std::size_t index) const;
  std::optional<SqlFilter> own_year(const DateSpan& span, const Sure<ColumnRef>& date) const;
  Done like(const QuestionItem& item);
  Done number(const QuestionItem& item);
  Done compared_number(const std::string& text);
  Done date(const QuestionItem& item);
  std::optional<SqlFilter> month_filter(int table, const std::string& number) const;
  Done unit(const QuestionItem& item);

  const std::vector<QuestionItem>& items_;
  const SqlSchema& schema_;
  NameChoice& choice_;
  std::size_t at_ = 0;
  QuestionFrame frame_;
  Role role_ = Role::Select;
  std::optional<Role> continued_;  // what "and" goes on with
  bool in_output_ = false;
  std::optional<Aggregate> figure_;  // waits for its name
  std::vector<Aggregate> figures_;   // "the average and the highest": wait for the same name
  bool counts_ = false;
  bool says_total_ = false;
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

}  // namespace signalbox

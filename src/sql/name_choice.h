// Which of the columns or values that bear a name is meant: the one of the table in question, else of a
// table that is named, else of one next to it. Two that are as likely are a doubt, never a guess.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sql/name_index.h"
#include "sql/question_items.h"
#include "sql/sql_doubt.h"
#include "sql/sql_query.h"

namespace signalbox {

class NameChoice {
 public:
  // `preferred` are columns, as text() writes them, that were chosen when it was asked which is meant.
  NameChoice(const SqlSchema& schema, const NameIndex& names, std::vector<std::string> preferred = {})
      : schema_(schema), names_(names), preferred_(std::move(preferred)) {}

  void name_table(int table) { named_.insert(table); }
  const std::set<int>& named() const { return named_; }
  bool is_linked(int a, int b) const;

  // `near`: the table that stands beside the name, or -1.
  Sure<ColumnRef> column(const QuestionItem& item, int subject, int near) const;
  // `near`: what stands beside the value. `filter.values` are filled.
  Sure<SqlFilter> value(const QuestionItem& item, int subject, const QuestionItem* near) const;
  // The column that says when; `hint` is a name that says which ("hired"), or null.
  // `figures`: the table figures are worked out of, or -1; its dates come first.
  Sure<ColumnRef> date(int subject, const QuestionItem* hint, int figures) const;
  // The number or date column an adjective or a weak word is about.
  Sure<ColumnRef> about(std::span<const std::string> concepts, int subject) const;
  // The best table a name may mean; -1: none.
  int table(const QuestionItem& item) const;
  // How well the name says that table: SaidName::quality; 0: it says none.
  int table_quality(const QuestionItem& item) const;
  bool is_table(const QuestionItem& item) const { return table(item) >= 0; }
  // Whether nothing more than "name" is said.
  bool says_name(const QuestionItem& item) const;

  std::string text(const ColumnRef& ref) const;
  // A month's name as its number; 0: it is none.
  int month_number(std::string_view text) const { return names_.month_number(text); }
  std::string month_name(int number) const { return names_.month_name(number); }

 private:
  int closeness(int table, int subject) const;
  // The tables worth looking into, the nearest first.
  std::vector<std::vector<int>> rings(int subject) const;
  bool are_same(const ColumnRef& a, const ColumnRef& b) const;
  bool is_preferred(const ColumnRef& ref) const;
  std::optional<ColumnRef> preferred_of(const std::vector<ColumnRef>& found) const;

  const SqlSchema& schema_;
  const NameIndex& names_;
  std::vector<std::string> preferred_;
  std::set<int> named_;
};

}  // namespace signalbox

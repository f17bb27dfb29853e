// What a question asks for, before it is a query: collected word by word, then settled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/name_choice.h"
#include "sql/sql_query.h"

namespace signalbox {

// A column, a figure, or a whole table where `term.of.column` is -1 and nothing is counted.
struct AskedTerm {
  SqlTerm term;
  bool is_table() const { return term.aggregate == Aggregate::None && term.of.column < 0; }
};

struct QuestionFrame {
  int subject = -1;
  bool subject_is_plural = false;
  bool asks_which = false;         // "which", "who": by name; else whole rows
  bool has_subject_named = false;  // the subject stands in the question as what is asked for
  std::vector<AskedTerm> select;
  std::vector<AskedTerm> output;  // "Return the name and …": instead of `select`
  std::vector<AskedTerm> groups;
  std::vector<SqlFilter> filters;
  std::vector<SqlHaving> having;
  std::vector<int> with;
  std::vector<int> without;
  std::optional<SqlTerm> order;
  std::optional<bool> is_descending;
  bool is_superlative = false;  // "the highest": one row, unless a number or a plural says more
  bool is_alphabetical = false;
  std::size_t limit = 0;
  bool is_distinct = false;
};

Sure<SqlQuery> settle(const SqlSchema& schema, const NameChoice& choice, const QuestionFrame& frame);

}  // namespace signalbox

// The words of questions about data: phrases by what they do, concepts in several languages, the short
// forms of column names. Read from profiles/common/sql_words.yaml; its head explains the format.
//
// Immutable after load(), thread-safe.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fastpath/phrase_matcher.h"
#include "normalize/text.h"
#include "signalbox/result.h"
#include "sql/sql_doubt.h"

namespace signalbox {

// What a phrase does; the names in the file are these in snake case.
enum class Say {
  Count,
  Sum,
  Average,
  Maximum,
  Minimum,
  Highest,
  Lowest,
  Most,
  Fewest,
  Frequent,
  Rare,
  Top,
  Bottom,
  Each,
  By,
  Order,
  Descending,
  Ascending,
  Alphabetical,
  MoreThan,
  LessThan,
  AtLeast,
  AtMost,
  Between,
  Equal,
  Not,
  Without,
  Any,
  Distinct,
  Contains,
  StartsWith,
  EndsWith,
  And,
  Or,
  Have,
  Show,
  Which,
  Named,
  True,
  Null,
  NotNull,
  Respective,
  About,
  Stop,
  Verbs,
  End,
};

struct SaidPhrase {
  Say say = Say::End;
  std::size_t begin = 0;  // words, end exclusive
  std::size_t end = 0;
};

// "longest": the concepts of the column that is meant, and which end of it.
struct SqlAdjective {
  std::vector<std::string> words;
  std::string concept_name;
  bool is_high = true;
};

struct DateWords {
  std::unordered_map<std::string, std::string> units;  // word → day, week, month, quarter, year
  std::unordered_map<std::string, int> months;         // from 1
  std::vector<std::string> month_names;                // January, …
  std::unordered_map<std::string, int> ordinals;       // from 1
  std::map<std::string, std::unordered_set<std::string>, std::less<>> lists;  // today, last, since, …

  bool is(std::string_view list, std::string_view word) const;
};

class SqlWords {
 public:
  // NotFound, or InvalidInput with file and place.
  static Result<SqlWords> load(const std::string& path);

  // Every phrase of that language in the text, longest first at each place; overlaps are left in.
  std::vector<SaidPhrase> find(std::string_view language, const Text& text) const;
  bool is_stop(std::string_view language, std::string_view word) const;
  const std::vector<SqlAdjective>& adjectives(std::string_view language) const;

  // The word as a key to compare by: folded, in the singular forms it may have, and the concepts these
  // name. Never empty for a word.
  std::vector<std::string> keys(std::string_view word) const;
  // The words of a column's or table's name: snake_case, CamelCase, words run together.
  std::vector<std::string> name_words(std::string_view name,
                                      const std::unordered_set<std::string>& known) const;
  // What a short form of a name stands for ("amt": "amount"); empty: none is known.
  std::string spelled_out(std::string_view part) const;
  // Concepts a word may mean though no column has that name; null for none.
  const std::vector<std::string>* weak(std::string_view word) const;
  // Other ways to say a value, folded; empty when there are none.
  std::vector<std::string> other_values(std::string_view folded) const;
  // The question with short forms written out.
  std::string written_out(std::string question) const;
  // "monthly": month; empty: it is none.
  std::string adverb(std::string_view word) const;
  // "older": the concept that is compared; empty: it is none.
  std::string comparative(std::string_view word) const;
  // A number written as a word; negative: it is none.
  int number(std::string_view language, std::string_view word) const;
  // The doubt with its text and its question in that language.
  SqlDoubt told(SqlDoubt doubt, const std::string& language) const;
  const DateWords& dates() const { return dates_; }
  std::vector<std::string> languages() const;

 private:
  struct Language {
    PhraseMatcher matcher;
    std::unordered_set<std::string> stop;   // single words
    std::unordered_set<std::string> verbs;  // single words
    std::vector<SqlAdjective> adjectives;
  };
  class Reader;

  std::map<std::string, Language, std::less<>> languages_;
  std::unordered_map<std::string, std::vector<std::string>> concepts_;  // word → concepts
  std::unordered_map<std::string, std::string> name_parts_;
  std::unordered_set<std::string> joined_;
  std::unordered_map<std::string, std::vector<std::string>> weak_;
  std::vector<std::vector<std::string>> values_;
  std::unordered_map<std::string, std::vector<std::size_t>> value_groups_;
  std::map<std::string, std::unordered_map<std::string, int>, std::less<>> numbers_;  // by language
  std::unordered_map<std::string, std::string> adverbs_;
  std::unordered_map<std::string, std::string> comparatives_;
  std::vector<std::pair<std::string, std::string>> rewrites_;
  DateWords dates_;
  std::unordered_map<std::string, std::map<std::string, std::string>> texts_;  // key → by language
};

}  // namespace signalbox

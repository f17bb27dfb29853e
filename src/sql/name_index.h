// How the tables, columns and values of a database may be said.
//
// A column is said by its words ("sale price"), without those of its table ("name" of a customer),
// without a closing "name" ("country" for country_name), by what it counts ("citations" for
// citation_num). Immutable after the constructor, thread-safe; a look costs O(names that begin with the
// word).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "normalize/text.h"
#include "sql/sql_schema.h"
#include "sql/sql_words.h"

namespace signalbox {

struct SaidName {
  int table = 0;
  int column = -1;          // -1: the table itself
  int quality = 0;          // 3: its whole name; 2: a part that says as much; 1: a part
  bool is_count = false;    // the column holds a number of what was said
  bool is_flag = false;     // the column says whether
  bool says_table = false;  // the table was named with it ("customer id")
  bool is_exact = false;    // said in the name's own words, not in others that mean the same
  bool is_when = false;     // the column says when what was said took place
  bool is_shown = false;    // "name", of a column that names a row to people but is called otherwise …
  bool is_full = false;     // … and is the first of two that do so together
};

struct SaidValue {
  int table = 0;
  int column = 0;
  std::string value;     // as it is stored
  bool is_rare = false;  // one of many values: only a capital or quotes make it one
};

class NameIndex {
 public:
  NameIndex(const SqlSchema& schema, const SqlWords& words);

  // Names that are said from word `at` on; `length` is how many words the longest takes, and only names
  // of that length come back.
  std::vector<SaidName> names_at(const Text& text, std::size_t at, std::size_t& length) const;
  // The same for values.
  std::vector<SaidValue> values_at(const Text& text, std::size_t at, std::size_t& length) const;
  // A text in quotes as a value, whole; empty when no column holds it.
  std::vector<SaidValue> values_like(std::string_view text) const;
  // Hyphens taken out of words that a table is called without ("check-ins": checkins).
  std::string joined(std::string question) const;
  // Whether the word is one of those the column's name is made of ("food" of food_type).
  bool is_part_of(std::string_view word, int table, int column) const;
  // A month's name as its number; 0: it is none.
  int month_number(std::string_view text) const;
  // "April" for 4, in the first language of the list.
  std::string month_name(int number) const;
  // Columns whose name holds one of the concepts, in `table`.
  std::vector<int> columns_about(int table, std::span<const std::string> concepts) const;

 private:
  struct Alias {
    std::vector<std::vector<std::string>> parts;  // of each word the keys it may be met by
    SaidName name;
  };
  void add(std::vector<std::string> said, SaidName name);
  void add_table(int table, std::size_t beginning);
  void add_shown_name(int table);
  void add_spelled_out(const std::vector<std::string>& said, int table, int column);
  void add_column(int table, int column, std::size_t beginning);
  void add_when(const std::string& word, int table, int column);
  void add_values(int table, int column);
  std::vector<std::string> part_keys(const std::string& part) const;
  std::size_t matched(const Text& text, std::size_t at, const Alias& alias, bool& is_exact) const;

  const SqlSchema& schema_;
  const SqlWords& words_;
  std::unordered_set<std::string> known_;              // words that names are made of
  std::vector<std::vector<std::string>> table_words_;  // how each table is said
  std::vector<Alias> aliases_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_first_;  // key → aliases
  std::unordered_map<std::string, std::vector<SaidValue>> values_;      // words joined by blanks
  std::unordered_map<std::string, std::size_t> longest_value_;          // first word → most words
};

}  // namespace signalbox

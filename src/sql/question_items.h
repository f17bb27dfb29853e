// A question about data cut into what its words stand for: names, values, numbers, dates, phrases.
//
// Every word belongs to one item; what nothing explains is Unknown, and the reader refuses it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/name_index.h"
#include "sql/sql_dates.h"
#include "sql/sql_words.h"

namespace signalbox {

struct QuestionItem {
  enum class Kind { Phrase, Name, Value, Number, Quote, Date, Unit, Adjective, Weak, Unknown };
  Kind kind = Kind::Unknown;
  Say say = Say::End;  // of a phrase
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<SaidName> names;
  std::vector<SaidValue> values;  // of a value, a quote, and of a name that may be one
  double number = 0;
  std::string text;                   // as it was written
  DateSpan span;                      // of a date
  DateGrain grain = DateGrain::Day;   // of a unit
  std::string concept_name;           // of an adjective, or of what a comparison is about
  std::vector<std::string> concepts;  // of a weak word
  bool is_high = true;                // of an adjective or a comparison
  bool starts_sentence = false;
  bool is_plural = false;
  bool is_adverb = false;  // of a unit: "monthly"
  bool after_comma = false;
  bool after_verb = false;  // "written by": the word before is a plain verb
  bool is_joined = false;   // nothing but articles stands between it and the item before
  std::string lead;         // the last word that was passed over before it ("of", "in")
};

// Stop words and plain verbs are passed over. `language` is one of words.languages().
std::vector<QuestionItem> read_items(const Text& text, std::string_view language,
                                     const NameIndex& names, const SqlWords& words,
                                     const DateReading& reading);

}  // namespace signalbox

// A question about data as SQL, without a model; or a reason why not.
//
// Every word of the question must be explained by the database's names and values, by dates, numbers
// and the phrases of profiles/common/sql_words.yaml; otherwise it is refused, never guessed. The same
// question, schema and day give the same SQL. Thread-safe: immutable after the constructor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sql/name_choice.h"
#include "sql/sql_dates.h"
#include "sql/sql_schema.h"
#include "sql/sql_words.h"

namespace signalbox {

class SqlGenerator {
 public:
  // `schema` and `words` must outlive it.
  SqlGenerator(const SqlSchema& schema, const SqlWords& words, double similarity = 0.7);
  ~SqlGenerator();

  // `language` is the question's where it is known; empty: found out. `preferred` are options of an
  // earlier doubt about the same question that were chosen.
  Sure<std::string> write(const std::string& question, const DateReading& reading,
                          const std::string& language = "",
                          const std::vector<std::string>& preferred = {}) const;

  // By meaning, whatever else the message says: what it is about, and filters where they are
  // understood. A doubt where no table has vectors.
  Sure<std::string> search(const std::string& question, const DateReading& reading,
                           const std::string& language = "") const;

 private:
  std::string language_of(const std::string& question, const std::string& known) const;
  Sure<std::string> written(const std::string& question, const DateReading& reading,
                            const std::vector<std::string>& preferred) const;
  const SqlSchema& schema_;
  const SqlWords& words_;
  NameIndex names_;
  ColumnRef vectors_;
  double similarity_;
};

}  // namespace signalbox

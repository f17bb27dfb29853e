// "notes about AI safety from last month": the topic is compared by meaning, the rest is a plain
// question.
#pragma once

#include <optional>
#include <string>

#include "sql/sql_dates.h"
#include "sql/sql_query.h"
#include "sql/sql_words.h"

namespace signalbox {

struct TopicQuestion {
  std::string topic;  // "AI safety", as it was written
  std::string rest;   // "notes from last month"
};

// Empty where no phrase leads to a topic. The topic ends where a date begins, or a word that begins a
// condition.
std::optional<TopicQuestion> split_topic(const std::string& question, std::string_view language,
                                         const SqlWords& words, const DateReading& reading);

// The column of vectors that a table's rows are found by; its table is -1 where there is none.
ColumnRef vector_column(const SqlSchema& schema);

}  // namespace signalbox

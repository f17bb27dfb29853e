// What a record function would do to a database: one statement with its values, and the count of what
// it touches.
//
// A statement is built from names that the schema holds and values that are bound, never from text.
// Reads the schema, changes nothing.
#pragma once

#include <boost/json.hpp>
#include <map>
#include <string>
#include <vector>

#include "call/record_table.h"
#include "call/slot_words.h"

namespace signalbox {

// Why something cannot be done, in the user's language.
struct Telling {
  const SlotWords& texts;
  std::string language;

  tl::unexpected<Error> wrong(const std::string& key,
                              const std::map<std::string, std::string>& values = {}) const {
    return fail(ErrorCode::InvalidInput, texts.text(key, language, values));
  }
};

struct RecordChange {
  std::string statement;
  std::vector<std::string> values;
  std::string count;  // a statement; empty: nothing that is there is touched
  std::vector<std::string> count_values;
  std::map<std::string, std::string> words;  // of the texts
};

// `kind` is the built-in's name: create_schema, create_record, update_record or delete_record.
// InvalidInput: it cannot be done, in the user's words.
Result<RecordChange> plan_change(SqliteDatabase& database, const std::string& kind,
                                 const boost::json::object& arguments, const RecordWords& words,
                                 const Telling& telling);

}  // namespace signalbox

// create_record, update_record, delete_record and create_schema on a SQLite database.
//
// A statement is built from names that the schema holds and values that are bound, never from text.
// What it would touch is counted first; the run happens in a transaction that is rolled back when it
// would touch another number of records than was confirmed. Reads of the schema are not cached: a table
// made a moment ago is there. Thread-safe: a connection a call.
#pragma once

#include <memory>
#include <string>

#include "call/built_in.h"
#include "call/record_table.h"
#include "call/slot_words.h"

namespace signalbox {

inline constexpr const char* kRecordFunctions[] = {"create_record", "update_record", "delete_record",
                                                   "create_schema"};

class RecordFunctions : public BuiltInHandler {
 public:
  // `texts` are the words of previews and results (slots.yaml); they must outlive it.
  RecordFunctions(std::string database, const SlotWords& texts, RecordWords words = {});

  Result<CallPreview> preview(const Function& function, const boost::json::object& arguments,
                              const CallPlace& place) override;
  Result<CallResult> run(const Function& function, const boost::json::object& arguments,
                         const CallPreview& previewed, const CallPlace& place) override;

 private:
  std::string database_;
  const SlotWords& texts_;
  RecordWords words_;
};

}  // namespace signalbox

// What runs a function inside this program: SQL, search, records, workflows.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "call/function.h"
#include "signalbox/result.h"

namespace signalbox {

// What a call would change, told before it is done.
struct CallPreview {
  std::string text;       // "delete 3 records of tasks where status is archived"
  std::int64_t rows = 0;  // records it touches; 0 for what touches none
  std::string statement;  // as it will be run, where there is one
};

struct CallResult {
  std::string text;               // for the user
  boost::json::value data;        // the same for programs
  std::vector<std::string> list;  // what was shown, for "the second one"
  bool is_sql = false;            // a statement was run …
  bool is_validated = false;      // … and the guard had passed it
};

// Where a call is made: the message's language and how long it may take.
struct CallPlace {
  std::string language = "en";
  Duration budget = std::chrono::seconds(10);
};

class BuiltInHandler {
 public:
  virtual ~BuiltInHandler() = default;
  // Of a function that writes or deletes. InvalidInput: it cannot be done, and the text says why in
  // the user's words. Changes nothing. Thread-safe.
  virtual Result<CallPreview> preview(const Function& function, const boost::json::object& arguments,
                                      const CallPlace& place) = 0;
  // The arguments have passed the function's schema, and a write was confirmed; `previewed` is what the
  // user saw: where something else would be changed now, nothing is. Thread-safe.
  virtual Result<CallResult> run(const Function& function, const boost::json::object& arguments,
                                 const CallPreview& previewed, const CallPlace& place) = 0;
};

}  // namespace signalbox

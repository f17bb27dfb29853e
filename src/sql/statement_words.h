// The words and functions of a statement, read from its text: for servers that have no authorizer.
//
// Knows strings, quoted names, dollar quotes and comments. Linear; a fuzzer feeds it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

struct StatementWords {
  std::vector<std::string> words;      // names and keywords, in lower case unless quoted
  std::vector<std::string> functions;  // those that stand before a parenthesis and are no keywords
  bool has_star = false;               // "*" other than in count(*)
};

// InvalidInput: a quote or comment that does not end, a zero byte, something after a semicolon.
Result<StatementWords> read_statement(std::string_view sql);

}  // namespace signalbox

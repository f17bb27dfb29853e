// Hrana over HTTP, the protocol of libSQL servers and Turso (POST /v2/pipeline): bodies and answers.
//
// Pure: no connection is made here. Answers are outside bytes, and a fuzzer feeds the parser.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "signalbox/result.h"
#include "sql/sql_rows.h"

namespace signalbox {

// One request that executes the statements in order, each on its own, and closes the stream.
std::string hrana_request(const std::vector<std::string>& statements);

// The rows of each statement. InvalidInput: the server refused one, in its own words. Upstream: the
// answer is not of the protocol.
Result<std::vector<SqlRows>> parse_hrana(std::string_view body, std::size_t statements);

}  // namespace signalbox

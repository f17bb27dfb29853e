// What a statement may read, and how much of a machine it may use while it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "signalbox/result.h"

namespace signalbox {

class Encoder;

struct SqlLimits {
  std::size_t rows = 200;
  std::size_t bytes = std::size_t{1} << 20;
  Duration time = std::chrono::seconds(3);
  std::int64_t steps = 400'000'000;  // of SQLite's machine: the same on every computer
};

// The functions a statement may call, from profiles/common/sql.yaml: they only compute, from bounded
// values, in bounded time. Names are folded to lower case.
using SqlFunctions = std::set<std::string, std::less<>>;

struct SqlAccess {
  std::map<std::string, std::vector<std::string>> tables;  // allow-listed; empty: all of the database
  SqlFunctions functions;
  SqlLimits limits;
  std::string role;  // PostgreSQL alone
  std::shared_ptr<const Encoder>
      encoder;  // SQLite alone: what embedding(text) is worked out by; empty: none
};

// Reads the list `functions` of the file. NotFound, or InvalidInput with its place.
Result<SqlFunctions> load_sql_functions(const std::string& path);

// ASCII letters in lower case: how SQL compares names.
std::string lower_name(std::string_view name);

}  // namespace signalbox

// The tables, views and columns of a real database, for the allowlist.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "signalbox/result.h"

namespace signalbox {

using SchemaNames = std::map<std::string, std::vector<std::string>>;  // table or view → its columns

// A file is opened read-only as SQLite; postgres:// and postgresql:// addresses go to PostgreSQL, in a
// read-only transaction. System tables are left out, views are in; tables of the schemas on the search
// path go by their name, others by schema.name. NotFound: no such file. InvalidInput: no database.
// Upstream: the server refuses or cannot be reached.
Result<SchemaNames> read_schema(const std::string& database);

}  // namespace signalbox

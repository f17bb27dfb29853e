// PostgreSQL as a database that can be asked.
//
// Every statement runs in a read-only transaction under a role that can only read: the one configured,
// and for a superuser `pg_read_all_data`. It is one query by the protocol itself, has a statement
// timeout, calls only allow-listed functions (read from its text) and touches only allow-listed tables
// and columns (read from the server's own plan of it) before a row of it is fetched.
#pragma once

#include <memory>
#include <string>

#include "sql/sql_database.h"

namespace signalbox {

// Upstream: the server refuses or cannot be reached.
Result<std::unique_ptr<SqlDatabase>> open_postgres_database(const std::string& address,
                                                            SqlAccess access);

}  // namespace signalbox

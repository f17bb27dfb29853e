// A remote libSQL or Turso database over HTTP, under the guard of a local copy of its tables.
//
// The copy holds the tables without their rows: a statement is parsed, authorized and explained there
// by SQLite itself before a byte of it is sent, and it travels with a limit on its rows. The size and
// time of the answer are bounded by the connection. Belongs to one thread at a time.
#pragma once

#include <memory>
#include <string>

#include "net/http_client.h"
#include "sql/sql_database.h"

namespace signalbox {

// libsql://HOST[:PORT][?authToken=T][&tls=0], http://… or https://…; without a token in the address the
// environment's LIBSQL_AUTH_TOKEN is taken. `http` must outlive the database. Upstream: the server
// cannot be reached or speaks another protocol.
Result<std::unique_ptr<SqlDatabase>> open_libsql_database(const std::string& address, SqlAccess access,
                                                          HttpClient& http);

}  // namespace signalbox

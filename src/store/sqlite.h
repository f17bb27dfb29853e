// A SQLite database and its statements, with our errors instead of codes.
//
//   auto db = SqliteDatabase::open("file.db", SqliteMode::Create);
//   auto insert = db->prepare("INSERT INTO t VALUES (?, ?)");
//   insert->bind(1, 7).bind(2, "seven").run();
//   while (*query->step()) use(query->text(0));
//
// A database belongs to one thread at a time; statements to their database, which must outlive them.
// Busy is Overloaded, a damaged file Corrupt, anything else Upstream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "signalbox/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace signalbox {

class SqliteStatement {
 public:
  // Positions count from 1. Text and bytes are copied.
  SqliteStatement& bind(int position, std::int64_t value);
  SqliteStatement& bind(int position, int value) { return bind(position, std::int64_t{value}); }
  SqliteStatement& bind(int position, double value);
  SqliteStatement& bind(int position, std::string_view value);
  SqliteStatement& bind(int position, const char* value) {
    return bind(position, std::string_view(value));
  }
  SqliteStatement& bind_bytes(int position, std::span<const std::byte> value);
  SqliteStatement& bind_null(int position);

  // True: there is a row to read. After false or an error the statement is reset, its values kept.
  Result<bool> step();
  // For statements without rows: runs to the end.
  Result<void> run();
  void reset();

  // Columns count from 0; valid until the next step.
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  std::span<const std::byte> bytes(int column) const;
  bool is_null(int column) const;
  int columns() const;
  std::string_view column_name(int column) const;

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

enum class SqliteMode { ReadOnly, ReadWrite, Create };

class SqliteDatabase {
 public:
  // Waits up to `busy_ms` for another's lock.
  static Result<SqliteDatabase> open(const std::string& path, SqliteMode mode, int busy_ms = 2000);

  Result<void> execute(const std::string& sql);
  Result<SqliteStatement> prepare(std::string_view sql);
  std::int64_t last_rowid() const;
  std::int64_t changes() const;
  sqlite3* handle() const { return database_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit SqliteDatabase(sqlite3* database) : database_(database) {}
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace signalbox

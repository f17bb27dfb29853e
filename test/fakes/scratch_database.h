// A SQLite file in a folder of its own; both are gone afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "store/sqlite.h"

namespace signalbox {

class ScratchDatabase {
 public:
  ScratchDatabase() {
    std::string name = testing::TempDir() + "sqlXXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~ScratchDatabase() {
    std::error_code ec;
    std::filesystem::remove_all(folder_, ec);
  }
  ScratchDatabase(const ScratchDatabase&) = delete;
  ScratchDatabase& operator=(const ScratchDatabase&) = delete;

  // Runs the statements on the file, which is made where there is none.
  void make(const std::string& statements) const {
    auto database = SqliteDatabase::open(path(), SqliteMode::Create);
    ASSERT_TRUE(database) << database.error().message;
    const auto done = database->execute(statements);
    ASSERT_TRUE(done) << done.error().message;
  }

  // The first column of every row, parted by commas; an error's text where it fails.
  std::string texts(const std::string& sql) const {
    auto database = SqliteDatabase::open(path(), SqliteMode::ReadOnly);
    auto query = database->prepare(sql);
    if (!query) return query.error().message;
    std::string out;
    while (*query->step()) out += (out.empty() ? "" : ",") + std::string(query->text(0));
    return out;
  }

  std::string path() const { return folder_ + "/data.db"; }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

}  // namespace signalbox

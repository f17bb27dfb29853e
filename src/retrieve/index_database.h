// The part of an index that SQLite keeps: files, chunks with their text, links, and what each chunk
// adds to the search image.
//
// An index is a folder: index.db and search.img. One writer at a time; readers go on while it writes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "retrieve/prepare_file.h"
#include "retrieve/search_image_writer.h"
#include "store/sqlite.h"

namespace signalbox {

std::string index_database_path(const std::string& folder);
std::string search_image_path(const std::string& folder);

struct IndexSettings {
  std::string root;     // absolute
  std::string encoder;  // as open_encoder() takes it; "none": words alone
  std::string weights;  // the encoder's fingerprint
  int dimensions = 0;   // 0: no vectors
  int reading = kReading;
};

struct KnownFile {
  std::int64_t id = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t hash = 0;
  std::string trouble;  // why it was left out
};

class IndexDatabase {
 public:
  // Creates the folder and the tables. InvalidInput: the index there is of another version.
  static Result<IndexDatabase> create(const std::string& folder);
  static Result<IndexDatabase> open(const std::string& folder);

  // Empty when the index was never written.
  Result<std::optional<IndexSettings>> settings();
  Result<void> set_settings(const IndexSettings& settings);
  // Whether the search image holds what the database does.
  Result<bool> is_image_current();
  Result<void> set_image_current(bool is_current);
  Result<std::map<std::string, KnownFile>> files();

  Result<void> begin() { return database_.execute("BEGIN IMMEDIATE"); }
  Result<void> commit() { return database_.execute("COMMIT"); }
  Result<void> write(const PreparedFile& file);
  Result<void> touch(std::int64_t id, const FoundFile& file);
  Result<void> remove(std::int64_t id);
  Result<void> clear();

  // Every chunk as the search image takes it.
  Result<void> each_chunk(const std::function<void(const ImageChunk&)>& use);

  SqliteDatabase& database() { return database_; }

 private:
  explicit IndexDatabase(SqliteDatabase database) : database_(std::move(database)) {}
  SqliteDatabase database_;
};

}  // namespace signalbox

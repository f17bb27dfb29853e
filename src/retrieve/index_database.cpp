#include "retrieve/index_database.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "retrieve/links.h"

namespace signalbox {
namespace {

constexpr int kSchemaVersion = 1;

constexpr const char* kSchema = R"(
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
  id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, bytes INTEGER, modified INTEGER, hash INTEGER,
  name_key TEXT, trouble TEXT);
CREATE INDEX IF NOT EXISTS files_by_name ON files (name_key);
CREATE TABLE IF NOT EXISTS chunks (
  id INTEGER PRIMARY KEY, uid TEXT NOT NULL, file INTEGER NOT NULL, first_line INTEGER,
  last_line INTEGER, title TEXT, text TEXT);
CREATE INDEX IF NOT EXISTS chunks_by_file ON chunks (file);
CREATE INDEX IF NOT EXISTS chunks_by_uid ON chunks (uid);
CREATE TABLE IF NOT EXISTS marks (id INTEGER PRIMARY KEY, terms BLOB, scale REAL, vector BLOB);
CREATE TABLE IF NOT EXISTS links (file INTEGER NOT NULL, line INTEGER, relation TEXT, target TEXT, key TEXT);
CREATE INDEX IF NOT EXISTS links_by_file ON links (file);
CREATE INDEX IF NOT EXISTS links_by_key ON links (key);
)";

template <typename... Values>
Result<void> run(SqliteDatabase& database, std::string_view sql, const Values&... values) {
  auto statement = database.prepare(sql);
  if (!statement) return tl::unexpected(statement.error());
  int position = 0;
  (statement->bind(++position, values), ...);
  return statement->run();
}

}  // namespace

std::string index_database_path(const std::string& folder) {
  return folder + "/index.db";
}

std::string search_image_path(const std::string& folder) {
  return folder + "/search.img";
}

Result<IndexDatabase> IndexDatabase::create(const std::string& folder) {
  std::error_code ec;
  std::filesystem::create_directories(folder, ec);
  if (ec) return fail(ErrorCode::InvalidInput, folder + ": " + ec.message());
  auto database = SqliteDatabase::open(index_database_path(folder), SqliteMode::Create, 200);
  if (!database) return tl::unexpected(database.error());
  for (const std::string sql :
       {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", "PRAGMA cache_size=-65536", kSchema}) {
    if (auto done = database->execute(sql); !done) {
      return fail(done.error().code, fmt::format("{}: {}", folder, done.error().message));
    }
  }
  return IndexDatabase(*std::move(database));
}

Result<IndexDatabase> IndexDatabase::open(const std::string& folder) {
  auto database = SqliteDatabase::open(index_database_path(folder), SqliteMode::ReadWrite);
  if (!database)
    return fail(ErrorCode::NotFound, folder + ": no index there (signalbox index makes one)");
  return IndexDatabase(*std::move(database));
}

Result<std::optional<IndexSettings>> IndexDatabase::settings() {
  auto query = database_.prepare("SELECT key, value FROM meta");
  if (!query) return tl::unexpected(query.error());
  std::map<std::string, std::string> values;
  while (true) {
    const auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) break;
    values[std::string(query->text(0))] = query->text(1);
  }
  if (values.empty()) return std::nullopt;
  if (values["version"] != std::to_string(kSchemaVersion)) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("index of version {}, this program writes {}: index into a new folder",
                            values["version"], kSchemaVersion));
  }
  return IndexSettings{values["root"], values["encoder"], values["weights"],
                       std::atoi(values["dimensions"].c_str()), std::atoi(values["reading"].c_str())};
}

Result<void> IndexDatabase::set_settings(const IndexSettings& settings) {
  const std::pair<const char*, std::string> rows[] = {
      {"version", std::to_string(kSchemaVersion)},
      {"root", settings.root},
      {"encoder", settings.encoder},
      {"weights", settings.weights},
      {"dimensions", std::to_string(settings.dimensions)},
      {"reading", std::to_string(settings.reading)},
  };
  for (const auto& [key, value] : rows) {
    if (auto done = run(database_, "INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value); !done)
      return done;
  }
  return {};
}

Result<bool> IndexDatabase::is_image_current() {
  auto query = database_.prepare("SELECT 1 FROM meta WHERE key = 'image' AND value = 'current'");
  if (!query) return tl::unexpected(query.error());
  return query->step();
}

Result<void> IndexDatabase::set_image_current(bool is_current) {
  return run(database_, "INSERT OR REPLACE INTO meta VALUES ('image', ?)",
             is_current ? "current" : "stale");
}

Result<std::map<std::string, KnownFile>> IndexDatabase::files() {
  auto query = database_.prepare("SELECT path, id, bytes, modified, hash, trouble FROM files");
  if (!query) return tl::unexpected(query.error());
  std::map<std::string, KnownFile> files;
  while (true) {
    const auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return files;
    files.emplace(
        std::string(query->text(0)),
        KnownFile{query->integer(1), static_cast<std::uint64_t>(query->integer(2)), query->integer(3),
                  static_cast<std::uint64_t>(query->integer(4)), std::string(query->text(5))});
  }
}

Result<void> IndexDatabase::write(const PreparedFile& file) {
  if (auto done = run(database_,
                      "INSERT INTO files (path, bytes, modified, hash, name_key, trouble) "
                      "VALUES (?, ?, ?, ?, ?, ?)",
                      file.file.path, static_cast<std::int64_t>(file.file.bytes), file.file.modified_ns,
                      static_cast<std::int64_t>(file.hash), link_key(file.file.path), file.trouble);
      !done)
    return done;
  const std::int64_t id = database_.last_rowid();
  auto chunks = database_.prepare(
      "INSERT INTO chunks (uid, file, first_line, last_line, title, text) VALUES (?, ?, ?, ?, ?, ?)");
  auto marks = database_.prepare("INSERT INTO marks VALUES (?, ?, ?, ?)");
  auto links = database_.prepare("INSERT INTO links VALUES (?, ?, ?, ?, ?)");
  for (const auto* statement : {&chunks, &marks, &links}) {
    if (!*statement) return tl::unexpected(statement->error());
  }
  for (const PreparedChunk& prepared : file.chunks) {
    const Chunk& chunk = prepared.chunk;
    chunks->bind(1, prepared.uid).bind(2, id).bind(3, chunk.first_line).bind(4, chunk.last_line);
    chunks->bind(5, chunk.title).bind(6, chunk.text);
    if (auto done = chunks->run(); !done) return done;
    marks->bind(1, database_.last_rowid());
    marks->bind_bytes(2, std::as_bytes(std::span(prepared.terms)));
    marks->bind(3, static_cast<double>(prepared.vector.scale));
    marks->bind_bytes(4, std::as_bytes(std::span(prepared.vector.values)));
    if (auto done = marks->run(); !done) return done;
  }
  for (const Link& link : file.links) {
    links->bind(1, id).bind(2, link.line).bind(3, link.relation).bind(4, link.target);
    if (auto done = links->bind(5, link_key(link.target)).run(); !done) return done;
  }
  return {};
}

Result<void> IndexDatabase::touch(std::int64_t id, const FoundFile& file) {
  return run(database_, "UPDATE files SET modified = ?, bytes = ? WHERE id = ?", file.modified_ns,
             static_cast<std::int64_t>(file.bytes), id);
}

Result<void> IndexDatabase::remove(std::int64_t id) {
  for (const char* sql : {"DELETE FROM marks WHERE id IN (SELECT id FROM chunks WHERE file = ?)",
                          "DELETE FROM chunks WHERE file = ?", "DELETE FROM links WHERE file = ?",
                          "DELETE FROM files WHERE id = ?"}) {
    if (auto done = run(database_, sql, id); !done) return done;
  }
  return {};
}

Result<void> IndexDatabase::clear() {
  return database_.execute(
      "DELETE FROM marks; DELETE FROM chunks; DELETE FROM links; DELETE FROM files;");
}

Result<void> IndexDatabase::each_chunk(const std::function<void(const ImageChunk&)>& use) {
  auto query = database_.prepare("SELECT id, terms, scale, vector FROM marks ORDER BY id");
  if (!query) return tl::unexpected(query.error());
  while (true) {
    const auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return {};
    const std::vector<TermCount> terms = unpack_terms(query->bytes(1));
    const auto vector = query->bytes(3);
    use({query->integer(0),
         terms,
         {reinterpret_cast<const std::int8_t*>(vector.data()), vector.size()},
         static_cast<float>(query->real(2))});
  }
}

}  // namespace signalbox

#include "retrieve/graph.h"

#include <re2/re2.h>

#include <set>

#include "retrieve/links.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxNames = 16;

struct File {
  std::int64_t id = 0;
  std::string path;
};

Result<std::vector<File>> files_named(SqliteDatabase& database, const std::string& key) {
  auto query = database.prepare("SELECT id, path FROM files WHERE name_key = ? ORDER BY path");
  if (!query) return tl::unexpected(query.error());
  query->bind(1, key);
  std::vector<File> files;
  while (true) {
    const auto row = query->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return files;
    files.push_back({query->integer(0), std::string(query->text(1))});
  }
}

Result<bool> is_known(SqliteDatabase& database, const std::string& key) {
  auto query = database.prepare(
      "SELECT 1 FROM files WHERE name_key = ?1 UNION ALL SELECT 1 FROM links WHERE key = ?1 LIMIT 1");
  if (!query) return tl::unexpected(query.error());
  return query->bind(1, key).step();
}

// The names in a question that the index knows; the whole text first.
Result<std::vector<std::string>> known_names(SqliteDatabase& database, std::string_view text) {
  static const RE2 kWord(R"(([\pL\pN_./#-]+))");
  std::vector<std::string> names;
  std::vector<std::string> candidates = {link_key(text)};
  std::string word;
  for (re2::StringPiece rest(text.data(), text.size()); RE2::FindAndConsume(&rest, kWord, &word);) {
    while (!word.empty() && (word.back() == '.' || word.back() == '-')) word.pop_back();
    if (word.size() > 1) candidates.push_back(link_key(word));
  }
  std::set<std::string> seen;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || names.size() >= kMaxNames || !seen.insert(candidate).second) continue;
    const auto known = is_known(database, candidate);
    if (!known) return tl::unexpected(known.error());
    if (*known) names.push_back(candidate);
    if (*known && names.size() == 1 && &candidate == &candidates.front()) break;
  }
  return names;
}

class Finder {
 public:
  Finder(SqliteDatabase& database, std::size_t top) : database_(database), top_(top) {}

  // Adds what is linked with `key`; gives the names that came in new.
  Result<std::vector<std::string>> look(const std::string& key, int distance) {
    std::vector<std::string> next;
    auto files = files_named(database_, key);
    if (!files) return tl::unexpected(files.error());
    for (const File& file : *files) {
      if (auto done = outgoing(file, distance, next); !done) return tl::unexpected(done.error());
    }
    if (auto done = incoming(key, distance, next); !done) return tl::unexpected(done.error());
    return next;
  }

  std::vector<Related> take() { return std::move(related_); }

 private:
  void add(Related related, const std::string& key, std::vector<std::string>& next) {
    if (related_.size() >= top_) return;
    const std::string mark = related.target + "\n" + related.file + (related.is_incoming ? "<" : ">");
    if (!seen_.insert(mark).second) return;
    related_.push_back(std::move(related));
    next.push_back(key);
  }

  Result<void> outgoing(const File& file, int distance, std::vector<std::string>& next) {
    auto query = database_.prepare(
        "SELECT target, relation, line, key, (SELECT path FROM files WHERE name_key = key LIMIT 1) "
        "FROM links WHERE file = ? ORDER BY line");
    if (!query) return tl::unexpected(query.error());
    query->bind(1, file.id);
    const std::string own = link_key(file.path);
    while (true) {
      const auto row = query->step();
      if (!row) return tl::unexpected(row.error());
      if (!*row) return {};
      if (query->text(3) == own) continue;
      add({std::string(query->text(4)), std::string(query->text(0)), std::string(query->text(1)), false,
           static_cast<int>(query->integer(2)), distance},
          std::string(query->text(3)), next);
    }
  }

  Result<void> incoming(const std::string& key, int distance, std::vector<std::string>& next) {
    auto query = database_.prepare(
        "SELECT path, relation, line, name_key FROM links JOIN files ON files.id = file "
        "WHERE key = ? AND name_key <> key ORDER BY path, line");
    if (!query) return tl::unexpected(query.error());
    query->bind(1, key);
    while (true) {
      const auto row = query->step();
      if (!row) return tl::unexpected(row.error());
      if (!*row) return {};
      add({std::string(query->text(0)), std::string(query->text(0)), std::string(query->text(1)), true,
           static_cast<int>(query->integer(2)), distance},
          std::string(query->text(3)), next);
    }
  }

  SqliteDatabase& database_;
  std::size_t top_;
  std::vector<Related> related_;
  std::set<std::string> seen_;
};

}  // namespace

Result<std::vector<Related>> find_related(const Index& index, std::string_view key, std::size_t top,
                                          int depth) {
  return index.with_database([&](SqliteDatabase& database) -> Result<std::vector<Related>> {
    auto names = known_names(database, key);
    if (!names) return tl::unexpected(names.error());
    Finder finder(database, top);
    std::set<std::string> visited(names->begin(), names->end());
    std::vector<std::string> frontier = *std::move(names);
    for (int distance = 1; distance <= depth; ++distance) {
      std::vector<std::string> further;
      for (const std::string& name : frontier) {
        auto next = finder.look(name, distance);
        if (!next) return tl::unexpected(next.error());
        for (std::string& found : *next) {
          if (visited.insert(found).second) further.push_back(std::move(found));
        }
      }
      frontier = std::move(further);
    }
    return finder.take();
  });
}

}  // namespace signalbox

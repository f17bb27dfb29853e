#include "retrieve/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "normalize/fold.h"
#include "retrieve/extract.h"
#include "retrieve/links.h"

namespace signalbox {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kFileHits = 200;  // passages looked through for those of the right files

tl::unexpected<Error> refuse(const char* word, const std::string& what) {
  return fail(std::string_view(word) == "NOT_FOUND" ? ErrorCode::NotFound : ErrorCode::InvalidInput,
              fmt::format("[ERROR: {}] {}", word, what));
}

Result<std::vector<std::string>> all_paths(const Index& index, std::string_view where,
                                           std::string_view value) {
  return index.with_database([&](SqliteDatabase& database) -> Result<std::vector<std::string>> {
    auto query = database.prepare(
        fmt::format("SELECT path FROM files WHERE trouble = '' {} ORDER BY path", where));
    if (!query) return tl::unexpected(query.error());
    if (!where.empty()) query->bind(1, value);
    std::vector<std::string> paths;
    while (true) {
      const auto row = query->step();
      if (!row) return tl::unexpected(row.error());
      if (!*row) return paths;
      paths.emplace_back(query->text(0));
    }
  });
}

// The file meant, below the root; checked on the real path, so that no link leads out.
Result<std::string> resolve(const Index& index, const std::string& path) {
  const fs::path root = index.root();
  std::error_code ec;
  const fs::path given = fs::path(path).is_absolute() ? fs::path(path) : root / path;
  const fs::path real = fs::weakly_canonical(given, ec);
  const std::string below = ec ? ".." : real.lexically_relative(root).generic_string();
  if (below.empty() || below.starts_with(".."))
    return refuse("NOT_ALLOWED", path + ": outside the index");
  if (fs::is_regular_file(real, ec)) return below;
  auto same_name = all_paths(index, "AND name_key = ?", link_key(path));
  if (!same_name) return tl::unexpected(same_name.error());
  if (same_name->size() == 1) return same_name->front();
  if (same_name->empty()) return refuse("NOT_FOUND", path + ": no such file in the index");
  return refuse("NOT_FOUND", fmt::format("{}: there are {}: {}", path, same_name->size(),
                                         fmt::join(*same_name, ", ")));
}

double name_score(const std::string& path, std::span<const TermCount> words,
                  std::string_view folded_query, std::string_view prefix) {
  double score = 0;
  const std::string name = fold(fs::path(path).filename().string());
  if (!prefix.empty() && name.starts_with(fold(prefix))) score += 10;
  if (folded_query.find(name) != std::string_view::npos) score += 10;  // the very name
  std::vector<Term> terms;
  append_terms(path, terms);
  const auto own = count_terms(std::move(terms));
  for (const TermCount& word : words) {
    if (holds_term(own, word.term)) score += 1;
  }
  return score / (1 + 0.001 * static_cast<double>(path.size()));
}

// The first passage of a file; its name alone where it has none.
Hit opening_of(const Index& index, const Hit& file) {
  return index.with_database([&](SqliteDatabase& database) {
    auto query = database.prepare(
        "SELECT uid, first_line, last_line, title, text FROM chunks JOIN files ON files.id = file "
        "WHERE path = ? ORDER BY first_line LIMIT 1");
    if (!query) return file;
    query->bind(1, file.file);
    const auto row = query->step();
    if (!row || !*row) return file;
    return Hit{std::string(query->text(0)),         file.file,  static_cast<int>(query->integer(1)),
               static_cast<int>(query->integer(2)), file.score, std::string(query->text(3)),
               std::string(query->text(4)),         0};
  });
}

}  // namespace

Result<FileText> read_file_lines(const Index& index, const std::string& path, int first_line,
                                 int last_line, std::size_t max_bytes) {
  if (first_line < 1 || (last_line != 0 && last_line < first_line))
    return refuse("BAD_RANGE", fmt::format("lines {} to {}", first_line, last_line));
  auto below = resolve(index, path);
  if (!below) return tl::unexpected(below.error());
  std::error_code ec;
  const auto bytes = fs::file_size(fs::path(index.root()) / *below, ec);
  if (ec || bytes > (64ULL << 20U)) return refuse("TOO_LARGE", *below);
  auto document = extract_text(index.root(), {*below, kind_of(*below), bytes, 0});
  if (!document) return refuse("NOT_ALLOWED", *below + ": " + document.error().message);
  FileText out;
  out.file = *below;
  out.first_line = first_line;
  out.last_line = first_line - 1;
  const std::string& text = document->text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    ++out.lines;
    const bool is_wanted = out.lines >= first_line && (last_line == 0 || out.lines <= last_line);
    const bool fits = out.text.size() + end - at < max_bytes && out.last_line == out.lines - 1;
    if (is_wanted && fits) {
      out.text += text.substr(at, end - at) + "\n";
      out.last_line = out.lines;
    }
    at = end + 1;
  }
  if (out.text.empty() && out.lines >= first_line && !text.empty())
    return refuse("TOO_LARGE", fmt::format("line {} of {} is too long", first_line, *below));
  if (first_line > std::max(out.lines, 1))
    return refuse("BAD_RANGE", fmt::format("{} has {} lines", *below, out.lines));
  return out;
}

Result<std::vector<Hit>> find_files(const Index& index, std::string_view query, std::string_view prefix,
                                    std::size_t top) {
  auto paths = all_paths(index, "", "");
  if (!paths) return tl::unexpected(paths.error());
  std::vector<Term> terms;
  append_terms(query, terms);
  const auto words = count_terms(std::move(terms));
  const std::string folded = fold(query);
  std::vector<Hit> hits;
  for (const std::string& path : *paths) {
    const double score = name_score(path, words, folded, prefix);
    if (score > 0) hits.push_back({"", path, 1, 1, score, "", path, 0});
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const Hit& a, const Hit& b) { return a.score > b.score; });
  if (hits.size() > top) hits.resize(top);
  return hits;
}

Result<std::vector<Hit>> ask_files(const Index& index, std::string_view query, std::string_view prefix,
                                   std::size_t top) {
  auto files = find_files(index, query, prefix, 20);
  if (!files) return files;
  auto passages = index.by_both(query, "", files->empty() ? top : kFileHits);
  if (!passages || files->empty()) return passages;
  const double best = files->front().score;
  std::set<std::string> chosen;
  for (const Hit& file : *files) {
    if (file.score > best / 2) chosen.insert(file.file);
  }
  std::vector<Hit> out;
  for (Hit& hit : *passages) {
    if (out.size() < top && chosen.contains(hit.file)) out.push_back(std::move(hit));
  }
  for (const Hit& file : *files) {  // a file that is meant but says nothing on it
    const bool is_there =
        std::any_of(out.begin(), out.end(), [&](const Hit& hit) { return hit.file == file.file; });
    if (out.size() < top && chosen.contains(file.file) && !is_there)
      out.push_back(opening_of(index, file));
  }
  return out;
}

}  // namespace signalbox

#include "retrieve/grep.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace signalbox {
namespace {

constexpr std::size_t kMaxRanges = 5000;  // kept before ranking
constexpr std::size_t kMaxWords = 32;
constexpr std::size_t kWordChunks = 2000;  // chunks that a search by words looks into

struct ChunkText {
  std::string id;
  std::string file;
  int first_line = 1;
  std::string title;
  std::string text;
};

// Tells how well a line matches: 0 not at all.
class LineMatcher {
 public:
  virtual ~LineMatcher() = default;
  virtual double score(std::string_view line, std::set<Term>& found) = 0;
};

class RegexLines : public LineMatcher {
 public:
  explicit RegexLines(const RE2& pattern) : pattern_(pattern) {}
  double score(std::string_view line, std::set<Term>&) override {
    return RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), pattern_) ? 1 : 0;
  }

 private:
  const RE2& pattern_;
};

class WordLines : public LineMatcher {
 public:
  explicit WordLines(std::unordered_map<Term, double> weights) : weights_(std::move(weights)) {}
  double score(std::string_view line, std::set<Term>& found) override {
    terms_.clear();
    append_terms(line, terms_);
    double sum = 0;
    for (const TermCount& entry : count_terms(terms_)) {
      const auto weight = weights_.find(entry.term);
      if (weight == weights_.end()) continue;
      sum += weight->second;
      found.insert(entry.term);
    }
    return sum;
  }

 private:
  std::unordered_map<Term, double> weights_;
  std::vector<Term> terms_;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const std::vector<std::string_view>& lines, std::size_t first, std::size_t last) {
  std::string out;
  for (std::size_t i = first; i <= last; ++i) {
    if (i > first) out += '\n';
    out += lines[i];
  }
  return out;
}

// Matches of one chunk, with their context; ranges that touch become one.
void match_chunk(const ChunkText& chunk, LineMatcher& matcher, int context, std::vector<Hit>& out) {
  const auto lines = lines_of(chunk.text);
  const auto around = static_cast<std::size_t>(context);
  std::size_t first = 0;
  std::size_t last = 0;
  double score = 0;
  std::set<Term> found;
  const auto close = [&] {
    if (score <= 0) return;
    const double words = std::max<double>(1, static_cast<double>(found.size()));
    out.push_back({chunk.id, chunk.file, chunk.first_line + static_cast<int>(first),
                   chunk.first_line + static_cast<int>(last), score * words, chunk.title,
                   joined(lines, first, last)});
    score = 0;
    found.clear();
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::set<Term> here;
    const double match = matcher.score(lines[i], here);
    if (match <= 0) continue;
    const std::size_t from = i > around ? i - around : 0;
    if (score > 0 && from > last + 1) close();
    if (score <= 0) first = from;
    last = std::min(i + around, lines.size() - 1);
    score += match;
    found.insert(here.begin(), here.end());
  }
  close();
}

constexpr std::string_view kColumns =
    "SELECT uid, path, first_line, title, text FROM chunks JOIN files ON files.id = file ";

ChunkText read_chunk(const SqliteStatement& query) {
  return {std::string(query.text(0)), std::string(query.text(1)), static_cast<int>(query.integer(2)),
          std::string(query.text(3)), std::string(query.text(4))};
}

Result<std::vector<Hit>> scan_all(const Index& index, LineMatcher& matcher, int context) {
  return index.with_database([&](SqliteDatabase& database) -> Result<std::vector<Hit>> {
    auto query = database.prepare(std::string(kColumns) + "ORDER BY path, chunks.id");
    if (!query) return tl::unexpected(query.error());
    std::vector<Hit> out;
    while (out.size() < kMaxRanges) {
      const auto row = query->step();
      if (!row) return tl::unexpected(row.error());
      if (!*row) break;
      match_chunk(read_chunk(*query), matcher, context, out);
    }
    return out;
  });
}

Result<std::vector<Hit>> scan_some(const Index& index, const std::vector<std::int64_t>& rowids,
                                   LineMatcher& matcher, int context) {
  return index.with_database([&](SqliteDatabase& database) -> Result<std::vector<Hit>> {
    auto query = database.prepare(std::string(kColumns) + "WHERE chunks.id = ?");
    if (!query) return tl::unexpected(query.error());
    std::vector<Hit> out;
    for (const std::int64_t rowid : rowids) {
      if (out.size() >= kMaxRanges) break;
      query->reset();
      const auto row = query->bind(1, rowid).step();
      if (!row) return tl::unexpected(row.error());
      if (*row) match_chunk(read_chunk(*query), matcher, context, out);
    }
    return out;
  });
}

Result<std::vector<Hit>> grep_words(const Index& index, std::string_view words,
                                    const GrepOptions& options) {
  std::vector<Term> terms;
  append_terms(words, terms);
  std::vector<TermCount> counted = count_terms(std::move(terms));
  if (counted.empty()) return fail(ErrorCode::InvalidInput, "grep: there is no word to look for");
  if (counted.size() > kMaxWords) counted.resize(kMaxWords);
  const SearchImage& image = index.image();
  std::unordered_map<Term, double> weights;
  for (const TermCount& entry : counted) {
    const auto with = static_cast<double>(image.documents_with(entry.term));
    weights[entry.term] = std::log1p(static_cast<double>(image.size()) / (with + 1));
  }
  std::vector<std::int64_t> rowids;
  for (const ScoredChunk& chunk : image.words(counted, kWordChunks))
    rowids.push_back(image.rowid(chunk.chunk));
  WordLines matcher(std::move(weights));
  return scan_some(index, rowids, matcher, options.context);
}

Result<std::vector<Hit>> grep_regex(const Index& index, std::string_view pattern,
                                    const GrepOptions& options) {
  RE2::Options settings;
  settings.set_case_sensitive(false);
  settings.set_log_errors(false);
  settings.set_max_mem(8 << 20);
  const RE2 compiled(re2::StringPiece(pattern.data(), pattern.size()), settings);
  if (!compiled.ok())
    return fail(ErrorCode::InvalidInput, fmt::format("grep: bad pattern: {}", compiled.error()));
  RegexLines matcher(compiled);
  return scan_all(index, matcher, options.context);
}

}  // namespace

Result<std::vector<Hit>> grep(const Index& index, std::string_view pattern,
                              const GrepOptions& options) {
  auto hits =
      options.is_regex ? grep_regex(index, pattern, options) : grep_words(index, pattern, options);
  if (!hits) return hits;
  std::stable_sort(hits->begin(), hits->end(),
                   [](const Hit& a, const Hit& b) { return a.score > b.score; });
  if (hits->size() > options.top) hits->resize(options.top);
  return hits;
}

}  // namespace signalbox

#include "retrieve/grep.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "normalize/fold.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxRanges = 5000;  // kept before ranking
constexpr std::size_t kMaxWords = 32;
constexpr std::size_t kWordChunks = 300;  // chunks that a search by words looks into

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

// One thing to look for. A plain word is found in all its forms; PROJ-123, max_retries or v1.2 only as
// they are written, whole.
struct Keyword {
  std::string literal;  // folded; empty for a plain word
  Term term = 0;
  double weight = 0;
};

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U);
}

bool holds_whole(std::string_view line, std::string_view literal) {
  for (std::size_t at = line.find(literal); at != std::string_view::npos;
       at = line.find(literal, at + 1)) {
    const std::size_t end = at + literal.size();
    const bool starts = at == 0 || !is_word_byte(line[at - 1]) || !is_word_byte(literal.front());
    const bool ends = end == line.size() || !is_word_byte(line[end]) || !is_word_byte(literal.back());
    if (starts && ends) return true;
  }
  return false;
}

class WordLines : public LineMatcher {
 public:
  explicit WordLines(std::vector<Keyword> keywords) : keywords_(std::move(keywords)) {}
  double score(std::string_view line, std::set<Term>& found) override {
    terms_.clear();
    append_terms(line, terms_);
    const auto own = count_terms(terms_);
    const std::string folded = fold(line);
    double sum = 0;
    for (const Keyword& keyword : keywords_) {
      if (keyword.literal.empty() ? !holds_term(own, keyword.term)
                                  : !holds_whole(folded, keyword.literal))
        continue;
      sum += keyword.weight;
      found.insert(keyword.term);
    }
    return sum;
  }

 private:
  std::vector<Keyword> keywords_;
  std::vector<Term> terms_;
};

bool is_plain(std::string_view word) {
  return std::none_of(word.begin(), word.end(), [](char c) {
    return !(c >= 'a' && c <= 'z') && !(static_cast<unsigned char>(c) & 0x80U);
  });
}

// The words between blanks; each with the rarity of its rarest term.
std::vector<Keyword> keywords_of(std::string_view words, const SearchImage& image) {
  std::vector<Keyword> out;
  const std::string folded = fold(words);
  for (std::size_t at = 0; at < folded.size() && out.size() < kMaxWords;) {
    std::size_t end = folded.find_first_of(" \t\n,;\"", at);
    if (end == std::string::npos) end = folded.size();
    const std::string_view word = std::string_view(folded).substr(at, end - at);
    at = end + 1;
    std::vector<Term> terms;
    append_terms(word, terms);
    const auto counted = count_terms(std::move(terms));
    Keyword rarest;
    for (const TermCount& entry : counted) {
      const auto with = static_cast<double>(image.documents_with(entry.term));
      const double weight = std::log1p(static_cast<double>(image.size()) / (with + 1));
      if (weight > rarest.weight) rarest = {"", entry.term, weight};
      if (is_plain(word)) out.push_back({"", entry.term, weight});
    }
    if (!is_plain(word) && !counted.empty()) {
      rarest.literal = word;
      out.push_back(std::move(rarest));
    }
  }
  return out;
}

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
                   joined(lines, first, last), 0});
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
  const std::vector<TermCount> counted = count_terms(std::move(terms));
  if (counted.empty()) return fail(ErrorCode::InvalidInput, "grep: there is no word to look for");
  const SearchImage& image = index.image();
  std::vector<std::int64_t> rowids;
  for (const ScoredChunk& chunk : image.words(counted, kWordChunks))
    rowids.push_back(image.rowid(chunk.chunk));
  WordLines matcher(keywords_of(words, image));
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

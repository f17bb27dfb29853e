#include "sql/statement_words.h"

#include <algorithm>
#include <array>

#include "sql/sql_access.h"

namespace signalbox {
namespace {

// Words of SQL that a parenthesis may follow though they call nothing; types with a size are among
// them.
constexpr std::array<std::string_view, 52> kBeforeParenthesis = {
    "select",       "from",     "where",     "in",        "exists", "and",       "or",      "not",
    "on",           "using",    "by",        "as",        "when",   "then",      "else",    "case",
    "values",       "any",      "all",       "some",      "over",   "filter",    "join",    "lateral",
    "union",        "except",   "intersect", "having",    "limit",  "offset",    "between", "like",
    "ilike",        "is",       "distinct",  "partition", "within", "group",     "order",   "with",
    "materialized", "numeric",  "decimal",   "varchar",   "char",   "character", "float",   "timestamp",
    "time",         "interval", "bit",       "set"};

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

bool is_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '$';
}

class StatementReader {
 public:
  explicit StatementReader(std::string_view sql) : sql_(sql) {}

  Result<StatementWords> read() {
    if (sql_.find('\0') != std::string_view::npos) return refuse("a statement holds no zero bytes");
    while (at_ < sql_.size()) {
      const auto passed = step();
      if (!passed) return tl::unexpected(passed.error());
    }
    return std::move(out_);
  }

 private:
  static tl::unexpected<Error> refuse(const std::string& why) {
    return fail(ErrorCode::InvalidInput, "refused: " + why);
  }

  Result<void> step() {
    const std::string_view rest = sql_.substr(at_);
    const char c = rest.front();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
      return {};
    }
    if (rest.starts_with("--")) {
      const std::size_t end = rest.find('\n');
      at_ = end == std::string_view::npos ? sql_.size() : at_ + end;
      return {};
    }
    if (rest.starts_with("/*")) return comment();
    if (c == ';') {
      has_ended_ = true;
      ++at_;
      return {};
    }
    if (has_ended_) return refuse("one statement at a time");
    if (c == '\'') return quoted('\'', false);
    if (c == '"') return quoted('"', true);
    if (c == '$') return dollar();
    if (starts_name(c)) return word();
    if (c == '*') out_.has_star = out_.has_star || !(was_ == '(' && follows_count_);
    if (c == '(' && !last_.empty()) {
      follows_count_ = last_ == "count";
      const bool is_keyword = std::find(kBeforeParenthesis.begin(), kBeforeParenthesis.end(), last_) !=
                              kBeforeParenthesis.end();
      if (!is_keyword || last_is_quoted_) out_.functions.push_back(last_);
    }
    last_.clear();
    was_ = c;
    ++at_;
    return {};
  }

  // PostgreSQL's comments nest.
  Result<void> comment() {
    std::size_t depth = 0;
    while (at_ < sql_.size()) {
      const std::string_view rest = sql_.substr(at_);
      if (rest.starts_with("/*")) {
        ++depth;
        at_ += 2;
      } else if (rest.starts_with("*/")) {
        at_ += 2;
        if (--depth == 0) return {};
      } else {
        ++at_;
      }
    }
    return refuse("a comment does not end");
  }

  Result<void> quoted(char quote, bool is_a_name) {
    const bool has_escapes = quote == '\'' && last_ == "e";  // E'\''
    std::string text;
    for (++at_; at_ < sql_.size(); ++at_) {
      if (has_escapes && sql_[at_] == '\\') {
        ++at_;
        continue;
      }
      if (sql_[at_] != quote) {
        text += sql_[at_];
        continue;
      }
      if (at_ + 1 < sql_.size() && sql_[at_ + 1] == quote) {
        text += quote;
        ++at_;
        continue;
      }
      ++at_;
      last_.clear();
      if (is_a_name) {
        last_ = text;
        last_is_quoted_ = true;
        out_.words.push_back(text);
      }
      was_ = quote;
      return {};
    }
    return refuse("a quote does not end");
  }

  // $tag$ … $tag$; a parameter such as $1 has no place here.
  Result<void> dollar() {
    std::size_t end = at_ + 1;
    while (end < sql_.size() && is_name(sql_[end]) && sql_[end] != '$') ++end;
    if (end >= sql_.size() || sql_[end] != '$' || (end > at_ + 1 && !starts_name(sql_[at_ + 1])))
      return refuse("a statement has no parameters");
    const std::string_view tag = sql_.substr(at_, end + 1 - at_);
    const std::size_t close = sql_.find(tag, end + 1);
    if (close == std::string_view::npos) return refuse("a quote does not end");
    at_ = close + tag.size();
    last_.clear();
    return {};
  }

  Result<void> word() {
    const std::size_t begin = at_;
    while (at_ < sql_.size() && is_name(sql_[at_])) ++at_;
    last_ = lower_name(sql_.substr(begin, at_ - begin));
    last_is_quoted_ = false;
    out_.words.push_back(last_);
    was_ = 'a';
    return {};
  }

  std::string_view sql_;
  std::size_t at_ = 0;
  StatementWords out_;
  std::string last_;
  bool last_is_quoted_ = false;
  bool follows_count_ = false;
  bool has_ended_ = false;
  char was_ = 0;
};

}  // namespace

Result<StatementWords> read_statement(std::string_view sql) {
  return StatementReader(sql).read();
}

}  // namespace signalbox

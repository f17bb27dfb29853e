#include "profile/phrase.h"

#include "normalize/fold.h"
#include "normalize/tokens.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxReadings = 4096;

// A phrase as written: text, or a group of alternatives, one after the other.
struct Piece {
  std::string text;                           // when there are no alternatives
  std::vector<std::vector<Piece>> alternatives;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // Up to the end, a bar or a closing parenthesis. False when parentheses do not balance.
  bool read(std::vector<Piece>& out, int depth) {
    if (depth > kMaxDepth) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ')' || c == '|') return depth > 0;
      if (c != '(') {
        const std::size_t end = std::min(text_.find_first_of("(|)", at_), text_.size());
        out.push_back({std::string(text_.substr(at_, end - at_)), {}});
        at_ = end;
        continue;
      }
      Piece group;
      do {
        ++at_;  // the parenthesis or the bar
        group.alternatives.emplace_back();
        if (!read(group.alternatives.back(), depth + 1)) return false;
      } while (at_ < text_.size() && text_[at_] == '|');
      if (at_ == text_.size()) return false;
      ++at_;
      out.push_back(std::move(group));
    }
    return depth == 0;
  }

 private:
  static constexpr int kMaxDepth = 16;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::size_t count_readings(const std::vector<Piece>& pieces) {
  std::size_t product = 1;
  for (const Piece& piece : pieces) {
    if (piece.alternatives.empty()) continue;
    std::size_t sum = 0;
    for (const auto& alternative : piece.alternatives) sum += count_readings(alternative);
    product *= std::min(sum, kMaxReadings + 1);
    if (product > kMaxReadings) return kMaxReadings + 1;
  }
  return product;
}

// Appends each way to read `pieces` from `at` on to `text` and calls `done`.
void spell(const std::vector<Piece>& pieces, std::size_t at, std::string& text, const std::function<void()>& done) {
  if (at == pieces.size()) return done();
  const std::size_t before = text.size();
  if (pieces[at].alternatives.empty()) {
    text += pieces[at].text;
    spell(pieces, at + 1, text, done);
  }
  for (const auto& alternative : pieces[at].alternatives) {
    spell(alternative, 0, text, [&] { spell(pieces, at + 1, text, done); });
  }
  text.resize(before);
}

void append_words(std::string_view chunk, PhraseParts& out) {
  const bool is_prefix = chunk.size() > 1 && chunk.back() == '*';
  if (is_prefix) chunk.remove_suffix(1);
  const std::string folded = fold(chunk);
  std::vector<Token> tokens;
  tokenize(folded, tokens);
  for (const Token& token : tokens) {
    out.push_back({PhrasePart::Kind::Word, folded.substr(token.begin, token.end - token.begin)});
  }
  if (is_prefix && !tokens.empty()) out.back().kind = PhrasePart::Kind::Prefix;
}

void split(std::string_view reading, PhraseParts& parts) {
  parts.clear();
  while (!reading.empty()) {
    const std::size_t space = reading.find(' ');
    std::string_view chunk = reading.substr(0, space);
    reading.remove_prefix(space == std::string_view::npos ? reading.size() : space + 1);
    // A gap may stand between unspaced characters: 把...删掉.
    while (!chunk.empty()) {
      if (chunk.starts_with("...")) {
        parts.push_back({PhrasePart::Kind::Gap, ""});
        chunk.remove_prefix(3);
        continue;
      }
      const std::size_t gap = chunk.find("...");
      const std::string_view piece = chunk.substr(0, gap);
      if (piece == "#") parts.push_back({PhrasePart::Kind::Number, ""});
      else append_words(piece, parts);
      chunk.remove_prefix(gap == std::string_view::npos ? chunk.size() : gap);
    }
  }
}

}  // namespace

Result<void> each_reading(std::string_view phrase, const std::function<void(const PhraseParts&)>& take) {
  std::vector<Piece> pieces;
  if (!Reader(phrase).read(pieces, 0)) return fail(ErrorCode::InvalidInput, "unbalanced parentheses");
  if (count_readings(pieces) > kMaxReadings) return fail(ErrorCode::InvalidInput, "more than 4096 readings");
  Result<void> result;
  std::string text;
  PhraseParts parts;
  spell(pieces, 0, text, [&] {
    if (!result) return;
    split(text, parts);
    if (parts.empty()) {
      result = fail(ErrorCode::InvalidInput, "nothing to match");
    } else if (parts.front().kind == PhrasePart::Kind::Gap || parts.back().kind == PhrasePart::Kind::Gap) {
      result = fail(ErrorCode::InvalidInput, "a gap (...) needs words on both sides");
    } else {
      take(parts);
    }
  });
  return result;
}

Result<std::vector<PhraseParts>> parse_phrase(std::string_view phrase) {
  std::vector<PhraseParts> out;
  auto done = each_reading(phrase, [&](const PhraseParts& parts) { out.push_back(parts); });
  if (!done) return tl::unexpected(done.error());
  return out;
}

}  // namespace signalbox

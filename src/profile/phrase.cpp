#include "profile/phrase.h"

#include "normalize/fold.h"
#include "normalize/tokens.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxReadings = 4096;

// Multiplies out the first group of alternatives, innermost parentheses first.
Result<std::vector<std::string>> expand(std::string_view phrase) {
  std::vector<std::string> pending{std::string(phrase)};
  std::vector<std::string> done;
  while (!pending.empty()) {
    const std::string text = std::move(pending.back());
    pending.pop_back();
    const std::size_t close = text.find(')');
    const std::size_t open = close == std::string::npos ? text.rfind('(') : text.rfind('(', close);
    if (close == std::string::npos && open == std::string::npos) {
      done.push_back(text);
    } else if (close == std::string::npos || open == std::string::npos) {
      return fail(ErrorCode::InvalidInput, "unbalanced parentheses");
    } else {
      std::string_view group = std::string_view(text).substr(open + 1, close - open - 1);
      while (true) {
        const std::size_t bar = group.find('|');
        pending.push_back(text.substr(0, open) + std::string(group.substr(0, bar)) + text.substr(close + 1));
        if (bar == std::string_view::npos) break;
        group.remove_prefix(bar + 1);
      }
    }
    if (pending.size() + done.size() > kMaxReadings) {
      return fail(ErrorCode::InvalidInput, "more than 4096 readings");
    }
  }
  return done;
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

PhraseParts split(std::string_view reading) {
  PhraseParts parts;
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
  return parts;
}

}  // namespace

Result<std::vector<PhraseParts>> parse_phrase(std::string_view phrase) {
  auto readings = expand(phrase);
  if (!readings) return tl::unexpected(readings.error());
  std::vector<PhraseParts> out;
  for (const std::string& reading : *readings) {
    PhraseParts parts = split(reading);
    if (parts.empty()) return fail(ErrorCode::InvalidInput, "nothing to match");
    if (parts.front().kind == PhrasePart::Kind::Gap || parts.back().kind == PhrasePart::Kind::Gap) {
      return fail(ErrorCode::InvalidInput, "a gap (...) needs words on both sides");
    }
    out.push_back(std::move(parts));
  }
  return out;
}

}  // namespace signalbox

#include "profile/phrase.h"

#include <algorithm>

#include "normalize/fold.h"
#include "normalize/tokens.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxReadings = 4096;
constexpr int kMaxDepth = 16;

// One part after the other; where there is a choice, each way to go on.
struct Item;
using Sequence = std::vector<Item>;
struct Item {
  PhrasePart part;
  std::vector<Sequence> choices;  // when not empty, instead of the part
};

void append_words(std::string_view chunk, Sequence& out) {
  const bool is_prefix = chunk.size() > 1 && chunk.back() == '*';
  if (is_prefix) chunk.remove_suffix(1);
  const std::string folded = fold(chunk);
  std::vector<Token> tokens;
  tokenize(folded, tokens);
  for (const Token& token : tokens) {
    out.push_back({{PhrasePart::Kind::Word, folded.substr(token.begin, token.end - token.begin)}, {}});
  }
  if (is_prefix && !tokens.empty()) out.back().part.kind = PhrasePart::Kind::Prefix;
}

// Text without spaces or parentheses; a gap may stand between unspaced characters: 把...删掉.
void append_chunk(std::string_view chunk, Sequence& out) {
  while (!chunk.empty()) {
    if (chunk.starts_with("...")) {
      out.push_back({{PhrasePart::Kind::Gap, ""}, {}});
      chunk.remove_prefix(3);
      continue;
    }
    const std::size_t gap = chunk.find("...");
    const std::string_view piece = chunk.substr(0, gap);
    if (piece == "#")
      out.push_back({{PhrasePart::Kind::Number, ""}, {}});
    else
      append_words(piece, out);
    chunk.remove_prefix(gap == std::string_view::npos ? chunk.size() : gap);
  }
}

// Where the group that opens at `open` closes; npos when it does not.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// Splits at `mark` outside parentheses.
std::vector<std::string_view> split_outside(std::string_view text, char mark) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] != mark || depth != 0) continue;
    out.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  out.push_back(text.substr(begin));
  return out;
}

class Reader {
 public:
  // False when parentheses do not balance or the readings are too many.
  bool read(std::string_view text, Sequence& out, int depth = 0) {
    if (depth > kMaxDepth) return false;
    for (const std::string_view chunk : split_outside(text, ' ')) {
      if (!read_chunk(chunk, out, depth)) return false;
    }
    return true;
  }

 private:
  bool read_chunk(std::string_view chunk, Sequence& out, int depth) {
    const std::size_t open = chunk.find('(');
    if (open == std::string_view::npos) {
      if (chunk.find(')') != std::string_view::npos) return false;
      append_chunk(chunk, out);
      return true;
    }
    const std::size_t close = closing(chunk, open);
    if (close == std::string_view::npos || chunk.find(')') < open) return false;
    const std::string_view before = chunk.substr(0, open);
    const std::string_view after = chunk.substr(close + 1);
    Item item;
    for (const std::string_view choice : split_outside(chunk.substr(open + 1, close - open - 1), '|')) {
      item.choices.emplace_back();
      // A group that touches letters is part of their word: obrigad(o|a).
      const bool is_whole = before.empty() && after.empty();
      const std::string spelled =
          is_whole ? "" : std::string(before) + std::string(choice) + std::string(after);
      if (++choices_ > kMaxReadings) return false;
      if (!read(is_whole ? choice : std::string_view(spelled), item.choices.back(), depth + 1))
        return false;
    }
    out.push_back(std::move(item));
    return true;
  }

  std::size_t choices_ = 0;
};

std::size_t count_readings(const Sequence& sequence) {
  std::size_t product = 1;
  for (const Item& item : sequence) {
    if (item.choices.empty()) continue;
    std::size_t sum = 0;
    for (const Sequence& choice : item.choices) sum += count_readings(choice);
    product *= std::min(sum, kMaxReadings + 1);
    if (product > kMaxReadings) return kMaxReadings + 1;
  }
  return product;
}

// What is still to be read once a sequence ends.
struct Rest {
  const Sequence* sequence;
  std::size_t at;
  const Rest* then;
};

void walk(const Sequence& sequence, std::size_t at, const Rest* rest, PhraseVisitor& visitor) {
  if (at == sequence.size()) {
    if (rest) return walk(*rest->sequence, rest->at, rest->then, visitor);
    return visitor.reading_ends();
  }
  const Item& item = sequence[at];
  if (item.choices.empty()) {
    visitor.enter(item.part);
    walk(sequence, at + 1, rest, visitor);
    return visitor.leave();
  }
  const Rest after{&sequence, at + 1, rest};
  for (const Sequence& choice : item.choices) walk(choice, 0, &after, visitor);
}

// The kinds at both ends of a sequence's readings, to find gaps there and readings of nothing.
struct Edges {
  bool gap_first = false;
  bool gap_last = false;
  bool can_be_empty = false;
};

Edges edges_of(const Sequence& sequence) {
  Edges edges{false, false, true};
  for (const Item& item : sequence) {
    Edges own{item.part.kind == PhrasePart::Kind::Gap, item.part.kind == PhrasePart::Kind::Gap, false};
    if (!item.choices.empty()) {
      own = {};
      for (const Sequence& choice : item.choices) {
        const Edges inner = edges_of(choice);
        own.gap_first |= inner.gap_first;
        own.gap_last |= inner.gap_last;
        own.can_be_empty |= inner.can_be_empty;
      }
    }
    edges.gap_first |= edges.can_be_empty && own.gap_first;
    edges.gap_last = own.gap_last || (own.can_be_empty && edges.gap_last);
    edges.can_be_empty &= own.can_be_empty;
  }
  return edges;
}

class Collector : public PhraseVisitor {
 public:
  void enter(const PhrasePart& part) override { path_.push_back(part); }
  void leave() override { path_.pop_back(); }
  void reading_ends() override { readings.push_back(path_); }
  std::vector<PhraseParts> readings;

 private:
  PhraseParts path_;
};

}  // namespace

Result<void> visit_phrase(std::string_view phrase, PhraseVisitor& visitor) {
  Sequence sequence;
  if (!Reader().read(phrase, sequence))
    return fail(ErrorCode::InvalidInput, "unbalanced parentheses, or too many choices");
  if (count_readings(sequence) > kMaxReadings)
    return fail(ErrorCode::InvalidInput, "more than 4096 readings");
  const Edges edges = edges_of(sequence);
  if (edges.can_be_empty) return fail(ErrorCode::InvalidInput, "nothing to match");
  if (edges.gap_first || edges.gap_last)
    return fail(ErrorCode::InvalidInput, "a gap (...) needs words on both sides");
  walk(sequence, 0, nullptr, visitor);
  return {};
}

Result<std::vector<PhraseParts>> parse_phrase(std::string_view phrase) {
  Collector collector;
  auto done = visit_phrase(phrase, collector);
  if (!done) return tl::unexpected(done.error());
  return std::move(collector.readings);
}

}  // namespace signalbox

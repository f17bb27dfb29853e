#include "plan/reading.h"

#include <algorithm>

#include "base/utf8.h"
#include "normalize/fold.h"

namespace signalbox::planning {
namespace {

struct FoldedText {
  std::string text;
  std::vector<std::uint32_t> origin;  // where each folded byte was written; one more for the end
};

FoldedText fold_with_origin(std::string_view text) {
  FoldedText out;
  char buffer[8];
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const std::string_view folded = fold(point.value, buffer);
    out.text += folded;
    out.origin.insert(out.origin.end(), folded.size(), static_cast<std::uint32_t>(at));
    at += point.bytes;
  }
  out.origin.push_back(static_cast<std::uint32_t>(text.size()));
  return out;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

Break break_in(std::string_view gap) {
  Break found = Break::None;
  for (std::size_t i = 0; i < gap.size();) {
    const CodePoint point = decode_utf8(gap, i);
    const char32_t c = point.value;
    i += point.bytes;
    if (c == '?' || c == '!' || c == ';' || c == '\n' || c == 0x3002 || c == 0xFF1F || c == 0xFF01 ||
        c == 0xFF1B) {
      return Break::Sentence;
    }
    if (c == '.' && i < gap.size() && is_space(gap[i])) return Break::Sentence;
    if (c == ',' || c == 0xFF0C || c == 0x3001 /* 、 */) found = Break::Comma;
  }
  return found;
}

bool ties_names(char c) {
  return c == '-' || c == '/' || c == '_' || c == '.' || c == ':';
}

// Whether a sign ties the bytes [begin, end) to a name on either side: read-and-write.
bool is_tied(std::string_view text, std::size_t begin, std::size_t end) {
  const bool before = begin >= 2 && ties_names(text[begin - 1]) && !is_space(text[begin - 2]);
  const bool after = end + 1 < text.size() && ties_names(text[end]) && !is_space(text[end + 1]);
  return before || after;
}

}  // namespace

Reading::Reading(std::string_view text, const Lexicon& lexicon) : text_(text), lexicon_(lexicon) {
  const FoldedText folded = fold_with_origin(text);
  std::vector<Token> tokens;
  tokenize(folded.text, tokens);
  words_.reserve(tokens.size());
  std::uint32_t last = 0;
  for (const Token& token : tokens) {
    Word word;
    word.begin = folded.origin[token.begin];
    // The end of a word is the end of its last character, which may fold to fewer or more bytes.
    const std::size_t last_character = folded.origin[token.end - 1];
    word.end = static_cast<std::uint32_t>(last_character + decode_utf8(text, last_character).bytes);
    word.break_before = words_.empty() ? Break::None : break_in(text.substr(last, word.begin - last));
    word.is_unspaced = token.is_unspaced;
    last = word.end;
    words_.push_back(word);
  }
  quotes_ = find_quotes(text);
  PhraseHits hits;
  lexicon.phrases().find(folded.text, tokens, hits);
  if (hits.count == hits.hits.size()) return;  // too much to tell apart: no marks, the text stays whole
  for (std::size_t i = 0; i < hits.count; ++i) {
    marks_.push_back({static_cast<List>(hits.hits[i].list), {hits.hits[i].begin, hits.hits[i].end}});
  }
  drop_hidden_marks();
}

void Reading::drop_hidden_marks() {
  const auto is_hidden = [&](const Mark& mark) {
    const std::size_t begin = words_[mark.range.begin].begin;
    const std::size_t end = words_[mark.range.end - 1].end;
    if (is_tied(text_, begin, end)) return true;
    if (std::any_of(quotes_.begin(), quotes_.end(),
                    [&](const Quote& q) { return q.begin < end && begin < q.end; })) {
      return true;
    }
    return std::any_of(marks_.begin(), marks_.end(), [&](const Mark& other) {
      return other.range.size() > mark.range.size() && other.range.begin <= mark.range.begin &&
             mark.range.end <= other.range.end;
    });
  };
  std::vector<Mark> kept;
  std::copy_if(marks_.begin(), marks_.end(), std::back_inserter(kept),
               [&](const Mark& m) { return !is_hidden(m); });
  marks_ = std::move(kept);
}

bool Reading::may_be_parted() const {
  const auto parts = [](const Mark& mark) {
    return mark.list == List::Compare || mark.list == List::Between || mark.list == List::Versus ||
           mark.list == List::Differ || mark.list == List::Join || mark.list == List::Also ||
           mark.list == List::Relative || mark.list == List::Linked || mark.list == List::LinkedOf;
  };
  return std::any_of(marks_.begin(), marks_.end(), parts) ||
         std::any_of(words_.begin(), words_.end(),
                     [](const Word& word) { return word.break_before != Break::None; });
}

Range Reading::at(List list, std::size_t word) const {
  Range best;
  for (const Mark& mark : marks_) {
    if (mark.list == list && mark.range.begin == word && mark.range.size() > best.size())
      best = mark.range;
  }
  return best;
}

Range Reading::first(List list, Range range) const {
  Range best;
  for (const Mark& mark : marks_) {
    if (mark.list != list || mark.range.begin < range.begin || mark.range.end > range.end) continue;
    const bool is_better = best.size() == 0 || mark.range.begin < best.begin ||
                           (mark.range.begin == best.begin && mark.range.size() > best.size());
    if (is_better) best = mark.range;
  }
  return best;
}

std::vector<Range> Reading::every(List list, Range range) const {
  std::vector<Range> out;
  for (Range found = first(list, range); found.size() > 0; found = first(list, range)) {
    out.push_back(found);
    range.begin = found.end;
  }
  return out;
}

std::string_view Reading::slice(Range range) const {
  if (range.size() == 0) return {};
  std::size_t begin = words_[range.begin].begin;
  std::size_t end = words_[range.end - 1].end;
  // Quotes and brackets around a part belong to it, and so do the signs of a name: foo(), C++, .env
  for (const Quote& quote : quotes_) {
    if (quote.begin < end && begin < quote.end) {
      begin = std::min(begin, quote.open);
      end = std::max(end, quote.close);
    }
  }
  while (begin > 0 && (text_[begin - 1] == '.' || text_[begin - 1] == '/' || text_[begin - 1] == '-') &&
         (begin == 1 || is_space(text_[begin - 2]) || ties_names(text_[begin - 2]))) {
    --begin;
  }
  while (end < text_.size() && (text_[end] == '+' || text_[end] == '(' || text_[end] == ')')) ++end;
  return text_.substr(begin, end - begin);
}

}  // namespace signalbox::planning

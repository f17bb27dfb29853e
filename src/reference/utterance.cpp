#include "reference/utterance.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "base/utf8.h"
#include "normalize/fold.h"
#include "normalize/segment.h"
#include "normalize/tokens.h"
#include "plan/quotes.h"
#include "plan/symbol.h"

namespace signalbox::reference {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

Pause pause_in(std::string_view gap) {
  Pause found = Pause::None;
  for (std::size_t i = 0; i < gap.size();) {
    const CodePoint point = decode_utf8(gap, i);
    const char32_t c = point.value;
    i += point.bytes;
    if (c == '?' || c == '!' || c == ';' || c == '\n' || c == 0x3002 || c == 0xFF1F || c == 0xFF01 ||
        c == 0xFF1B)
      return Pause::Sentence;
    if (c == '.' && (i == gap.size() || is_space(gap[i]))) return Pause::Sentence;
    if (c == ',' || c == ':' || c == '(' || c == ')' || c == 0xFF0C || c == 0x3001)
      found = Pause::Comma;
  }
  return found;
}

bool is_upper(char32_t c) {
  return c < 0x80 ? c >= 'A' && c <= 'Z' : u_isupper(static_cast<UChar32>(c));
}

}  // namespace

Utterance::Utterance(std::string_view text, const ReferenceWords& words)
    : text_(text.substr(0, kMaxBytes)) {
  while (!text_.empty() && text.size() > text_.size() && find_invalid_utf8(text_)) text_.pop_back();
  mark(cut(), words);
  find_names();
  find_terms(words);
  const std::size_t last = text_.find_last_not_of(" \t\r\n\"'”)");
  is_question_ = last != std::string::npos &&
                 (text_[last] == '?' || std::string_view(text_).substr(0, last + 1).ends_with("？"));
}

std::vector<Token> Utterance::cut() {
  std::vector<std::uint32_t> origin;  // where each folded byte was written
  origin.reserve(text_.size() + 1);
  folded_.reserve(text_.size());
  char buffer[8];
  for (std::size_t at = 0; at < text_.size();) {
    const CodePoint point = decode_utf8(text_, at);
    for (const char byte : fold(point.value, buffer)) {
      folded_ += byte;
      origin.push_back(static_cast<std::uint32_t>(at));
    }
    at += point.bytes;
  }
  std::vector<Token> tokens;
  tokenize(folded_, tokens);
  words_.reserve(tokens.size());
  std::uint32_t last = 0;
  for (const Token& token : tokens) {
    Word word;
    word.begin = origin[token.begin];
    const std::size_t last_character = origin[token.end - 1];
    word.end = static_cast<std::uint32_t>(last_character + decode_utf8(text_, last_character).bytes);
    word.folded_begin = token.begin;
    word.folded_end = token.end;
    word.pause_before = pause_in(std::string_view(text_).substr(last, word.begin - last));
    word.is_unspaced = token.is_unspaced;
    word.is_number = token.is_number;
    word.is_capital = is_upper(decode_utf8(text_, word.begin).value);
    unspaced_ += token.is_unspaced ? 1 : 0;
    last = word.end;
    words_.push_back(word);
  }
  return tokens;
}

void Utterance::mark(std::span<const Token> tokens, const ReferenceWords& words) {
  PhraseHits hits;
  words.phrases().find(folded_, tokens, hits);
  marks_.reserve(hits.count);
  for (std::size_t i = 0; i < hits.count; ++i) {
    const auto role = static_cast<Role>(hits.hits[i].list);
    marks_.push_back({role, {hits.hits[i].begin, hits.hits[i].end}});
    roles_ |= std::uint64_t{1} << static_cast<unsigned>(role);
  }
}

void Utterance::find_names() {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    Word& word = words_[i];
    const bool begins = i == 0 || word.pause_before == Pause::Sentence;
    const std::string_view written = std::string_view(text_).substr(word.begin, word.end - word.begin);
    if (written == "I" || written.starts_with("I'") || written.starts_with("I’")) continue;
    const bool shouts = written.size() > 1 && planning::is_symbol(written) && !word.is_number;
    word.is_name = (word.is_capital && !begins) || shouts;
  }
  for (const planning::Quote& quote : planning::find_quotes(text_)) {
    for (Word& word : words_) {
      if (word.begin >= quote.begin && word.end <= quote.end) word.is_name = true;
    }
  }
}

void Utterance::find_terms(const ReferenceWords& words) {
  for (std::size_t i = 0; i < words_.size();) {
    if (!words_[i].is_unspaced) {
      const bool is_sign = words_[i].end - words_[i].begin == 1 && text_[words_[i].begin] < '0';
      words_[i].is_content = !is_sign && !words.is_stop_word(folded(i));
      if (words_[i].is_content) terms_.push_back({i, i + 1});
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < words_.size() && words_[end].is_unspaced &&
           (end == i || words_[end].begin == words_[end - 1].end))
      ++end;
    const std::string_view run =
        std::string_view(text_).substr(words_[i].begin, words_[end - 1].end - words_[i].begin);
    std::size_t at = i;
    for (const Segment& segment : segment_words(run)) {
      const std::size_t first = at;
      while (at < end && words_[at].begin < words_[i].begin + segment.end) ++at;
      if (at == first ||
          words.is_stop_word(fold(run.substr(segment.begin, segment.end - segment.begin))))
        continue;
      terms_.push_back({first, at});
      for (std::size_t w = first; w < at; ++w) words_[w].is_content = true;
    }
    i = end;
  }
}

std::string_view Utterance::folded(std::size_t i) const {
  return std::string_view(folded_).substr(words_[i].folded_begin,
                                          words_[i].folded_end - words_[i].folded_begin);
}

std::string_view Utterance::folded(Span span) const {
  if (span.size() == 0) return {};
  const std::size_t begin = words_[span.begin].folded_begin;
  return std::string_view(folded_).substr(begin, words_[span.end - 1].folded_end - begin);
}

std::string_view Utterance::slice(Span span) const {
  if (span.size() == 0) return {};
  std::size_t begin = words_[span.begin].begin;
  std::size_t end = words_[span.end - 1].end;
  if (begin > 0 && end < text_.size() && text_[begin - 1] == '"' && text_[end] == '"') {
    --begin;
    ++end;
  }
  if (end + 1 < text_.size() && text_[end] == '(' && text_[end + 1] == ')') end += 2;  // foo()
  return std::string_view(text_).substr(begin, end - begin);
}

Span Utterance::at(Role role, std::size_t word) const {
  if (!has(role)) return {};
  Span best;
  for (const Mark& mark : marks_) {
    if (mark.role == role && mark.span.begin == word && mark.span.size() > best.size())
      best = mark.span;
  }
  return best;
}

Span Utterance::ending(Role role, std::size_t end) const {
  if (!has(role)) return {};
  Span best;
  for (const Mark& mark : marks_) {
    if (mark.role == role && mark.span.end == end && mark.span.size() > best.size()) best = mark.span;
  }
  return best;
}

Span Utterance::covering(Role role, std::size_t word) const {
  if (!has(role)) return {};
  Span best;
  for (const Mark& mark : marks_) {
    if (mark.role == role && mark.span.begin <= word && word < mark.span.end &&
        mark.span.size() > best.size())
      best = mark.span;
  }
  return best;
}

Span Utterance::first(Role role, std::size_t from) const {
  if (!has(role)) return {};
  Span best;
  for (const Mark& mark : marks_) {
    if (mark.role != role || mark.span.begin < from) continue;
    const bool is_better = best.size() == 0 || mark.span.begin < best.begin ||
                           (mark.span.begin == best.begin && mark.span.size() > best.size());
    if (is_better) best = mark.span;
  }
  return best;
}

bool Utterance::ends_sentence(std::size_t word) const {
  return word + 1 >= words_.size() || words_[word + 1].pause_before != Pause::None;
}

std::vector<Span> Utterance::sentences() const {
  std::vector<Span> out;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= words_.size(); ++i) {
    if (i < words_.size() && words_[i].pause_before != Pause::Sentence) continue;
    out.push_back({begin, i});
    begin = i;
  }
  return out;
}

}  // namespace signalbox::reference

#include "plan/keywords.h"

#include <algorithm>
#include <unordered_set>

#include "base/utf8.h"
#include "normalize/fold.h"
#include "normalize/segment.h"
#include "plan/quotes.h"
#include "plan/symbol.h"

namespace signalbox::planning {
namespace {

enum class Kind { Space, Unspaced, Chunk };

// Signs that may stand inside a name; everything else that is not a letter or digit parts words.
bool is_name_sign(char32_t c) {
  return c == '-' || c == '_' || c == '.' || c == '/' || c == ':' || c == '+' || c == '#' || c == '@' ||
         c == '\'' || c == 0x2019 || c == '>' || c == '=' || c == '&' || c == '~' || c == '\\' ||
         c == '%';
}

Kind kind_of(char32_t c) {
  if (is_unspaced_script(c)) return Kind::Unspaced;
  if (c < 0x80) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_letter || is_name_sign(c) ? Kind::Chunk : Kind::Space;
  }
  if (c == 0x2019) return Kind::Chunk;
  const bool is_mark = (c >= 0x2000 && c <= 0x206F) || (c >= 0x3000 && c <= 0x303F) ||
                       (c >= 0xFF00 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) || c == 0xA0 ||
                       c == 0xA1 || c == 0xBF || c == 0xAB || c == 0xBB;
  return is_mark ? Kind::Space : Kind::Chunk;
}

std::string_view trim_signs(std::string_view chunk) {
  const std::string_view flags = "-./";  // --flag, .env, /etc
  while (!chunk.empty() && is_name_sign(static_cast<unsigned char>(chunk.front())) &&
         chunk.front() != '@') {
    const bool is_lead = flags.find(chunk.front()) != std::string_view::npos && is_symbol(chunk);
    if (is_lead && chunk.size() > 2) break;
    chunk.remove_prefix(1);
  }
  while (!chunk.empty() && is_name_sign(static_cast<unsigned char>(chunk.back()))) {
    if (chunk.ends_with("++") || chunk.back() == '#' || chunk.back() == '%') break;
    chunk.remove_suffix(1);
  }
  for (const std::string_view ending : {"'s", "’s"}) {
    if (chunk.ends_with(ending)) chunk.remove_suffix(ending.size());
  }
  return chunk;
}

class Collector {
 public:
  Collector(std::string_view text, const Lexicon& lexicon) : text_(text), lexicon_(lexicon) {}

  void run(std::size_t begin, std::size_t end) {
    while (begin < end) {
      const Kind kind = kind_of(decode_utf8(text_, begin).value);
      std::size_t stop = begin;
      while (stop < end && kind_of(decode_utf8(text_, stop).value) == kind)
        stop += decode_utf8(text_, stop).bytes;
      if (kind == Kind::Chunk) chunk(text_.substr(begin, stop - begin));
      if (kind == Kind::Unspaced) stop = unspaced(begin, stop, end);
      begin = stop;
    }
  }

  void add(std::string_view word, bool is_symbol) {
    if (word.empty() || !seen_.insert(fold(word)).second) return;
    const auto begin = static_cast<std::size_t>(word.data() - text_.data());
    found_.push_back({std::string(word), begin, begin + word.size(), is_symbol});
  }

  std::vector<Keyword> take() { return std::move(found_); }

 private:
  void chunk(std::string_view part) {
    part = trim_signs(part);
    if (is_symbol(part)) {
      // A shouted stop word ("WHAT IS THIS") is still a stop word.
      if (!lexicon_.is_stop_word(part)) add(part, true);
      return;
    }
    if (is_variable(part)) {
      add(part, false);
      return;
    }
    const std::size_t slash = part.find('/');  // input/output: two words
    if (slash != std::string_view::npos) {
      chunk(part.substr(0, slash));
      chunk(part.substr(slash + 1));
      return;
    }
    if (!lexicon_.is_stop_word(part)) add(part, false);
  }

  // "A" and "B" stand for names where nothing follows but an end, a mark or a word that joins names;
  // else a lone letter may be an article or a pronoun ("A file", "I need").
  bool is_variable(std::string_view part) const {
    if (part.size() != 1 || part[0] < 'A' || part[0] > 'Z') return false;
    auto at = static_cast<std::size_t>(part.data() - text_.data()) + 1;
    if (at == text_.size() || text_[at] != ' ') return true;
    const std::size_t end = text_.find_first_of(" ,.?!;", ++at);
    return lexicon_.joins_names(text_.substr(at, end == std::string_view::npos ? end : end - at));
  }

  // Words of a script without spaces; returns how far it read: a file's ending belongs to its name.
  std::size_t unspaced(std::size_t begin, std::size_t end, std::size_t limit) {
    const std::string_view run = text_.substr(begin, end - begin);
    std::vector<std::string_view> words;
    bool last_was_single = false;
    for (const Segment& segment : segment_words(run)) {
      const std::string_view word = run.substr(segment.begin, segment.end - segment.begin);
      if (lexicon_.is_stop_word(word)) continue;
      // A word the dictionary lacks comes in single characters: 管 and 线 belong together.
      const bool continues = !words.empty() &&
                             words.back().data() + words.back().size() == word.data() &&
                             count_code_points(word) == 1 && last_was_single;
      last_was_single = count_code_points(word) == 1;
      if (continues)
        words.back() = {words.back().data(), words.back().size() + word.size()};
      else
        words.push_back(word);
    }
    std::size_t stop = end;
    while (stop < limit && kind_of(decode_utf8(text_, stop).value) == Kind::Chunk)
      stop += decode_utf8(text_, stop).bytes;
    if (stop > end && text_[end] == '.' && !words.empty()) {
      const auto first = static_cast<std::size_t>(words.front().data() - text_.data());
      const std::string_view name = text_.substr(first, stop - first);
      if (is_file_name(name)) {
        add(name, true);
        return stop;
      }
    }
    // A lone character says little beside real words.
    const bool has_words =
        std::any_of(words.begin(), words.end(), [](auto w) { return count_code_points(w) > 1; });
    for (const std::string_view word : words) {
      if (!has_words || count_code_points(word) > 1) add(word, false);
    }
    return end;
  }

  std::string_view text_;
  const Lexicon& lexicon_;
  std::vector<Keyword> found_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::vector<Keyword> extract_keywords(std::string_view text, const Lexicon& lexicon) {
  Collector collector(text, lexicon);
  std::size_t at = 0;
  for (const Quote& quote : find_quotes(text)) {
    collector.run(at, quote.open);
    collector.add(text.substr(quote.begin, quote.end - quote.begin), true);
    at = quote.close;
  }
  collector.run(at, text.size());
  return collector.take();
}

std::string join_keywords(const std::vector<Keyword>& keywords) {
  std::string out;
  for (const Keyword& keyword : keywords) {
    if (!out.empty()) out += ' ';
    out += keyword.text;
  }
  return out;
}

std::string search_keywords(std::string_view text, const Lexicon& lexicon) {
  return join_keywords(extract_keywords(text, lexicon));
}

}  // namespace signalbox::planning

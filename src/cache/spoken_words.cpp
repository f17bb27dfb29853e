#include "cache/spoken_words.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cctype>

#include "base/utf8.h"

namespace signalbox {
namespace {

std::string lower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    append_utf8(out, static_cast<char32_t>(u_tolower(static_cast<UChar32>(c.value))));
    at += c.bytes;
  }
  return out;
}

bool all_upper(std::string_view word) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint c = decode_utf8(word, at);
    if (u_islower(static_cast<UChar32>(c.value))) return false;
    if (u_isupper(static_cast<UChar32>(c.value))) ++letters;
    at += c.bytes;
  }
  return letters > 1;
}

// Digits as one number whatever way thousands are parted.
std::string plain_number(const std::string& word, std::string_view language) {
  const char parting = language == "es" || language == "pt" ? '.' : ',';
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool parts_thousands =
        word[i] == parting && i + 3 < word.size() &&
        (i + 4 == word.size() || !std::isdigit(static_cast<unsigned char>(word[i + 4])));
    if (!parts_thousands) out += word[i] == ',' ? '.' : word[i];
  }
  return out;
}

// Spans between quotation marks; an apostrophe counts only where a word begins and ends.
std::vector<std::pair<std::size_t, std::size_t>> quoted_spans(std::string_view folded) {
  std::vector<std::pair<std::size_t, std::size_t>> spans;
  const auto is_edge = [&](std::size_t at) {
    return at >= folded.size() ||
           std::string_view(" \t\n.,;:!?()").find(folded[at]) != std::string_view::npos;
  };
  for (std::size_t at = 0; at < folded.size(); ++at) {
    const char mark = folded[at];
    if (mark != '"' && mark != '`' && !(mark == '\'' && (at == 0 || is_edge(at - 1)))) continue;
    std::size_t end = folded.find(mark, at + 1);
    while (mark == '\'' && end != std::string_view::npos && !is_edge(end + 1))
      end = folded.find(mark, end + 1);
    if (end == std::string_view::npos || end == at + 1) continue;
    spans.emplace_back(at, end);
    at = end;
  }
  return spans;
}

}  // namespace

std::vector<SpokenWord> spoken_words(const Text& text, std::string_view language) {
  std::vector<Token> written;
  tokenize(text.original, written);
  const bool has_written = written.size() == text.tokens.size();
  const bool shouts = all_upper(text.original);
  const auto spans = quoted_spans(text.folded);
  std::vector<SpokenWord> words;
  words.reserve(text.tokens.size());
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const Token& token = text.tokens[i];
    const auto span = std::find_if(spans.begin(), spans.end(), [&](const auto& s) {
      return token.begin > s.first && token.begin < s.second;
    });
    SpokenWord word;
    if (span != spans.end()) {
      const std::string quote = text.folded.substr(span->first + 1, span->second - span->first - 1);
      if (!words.empty() && words.back().is_quote && words.back().folded == quote) continue;
      word.folded = word.written = quote;
      word.is_quote = true;
      words.push_back(std::move(word));
      continue;
    }
    word.folded = text.word(i);
    word.written = word.folded;
    word.is_number = token.is_number;
    if (word.is_number) word.written = word.folded = plain_number(word.folded, language);
    if (has_written && !word.is_number) {
      const std::string_view original =
          std::string_view(text.original).substr(written[i].begin, written[i].end - written[i].begin);
      word.written = lower(original);
      const auto first = static_cast<UChar32>(decode_utf8(original, 0).value);
      word.is_capital = !shouts && u_isupper(first) && !token.starts_sentence;
      word.is_all_caps = !shouts && all_upper(original);
    }
    words.push_back(std::move(word));
  }
  return words;
}

namespace {

// "renewing" is "renew", "exchanging" "exchange": a long word drops its final e to meet its other form.
std::string english_stem(std::string word) {
  const auto is_vowel = [](char c) {
    return std::string_view("aeiouy").find(c) != std::string_view::npos;
  };
  if (word.size() > 6 && word.ends_with("ing")) {
    word.resize(word.size() - 3);
    const std::size_t n = word.size();
    const bool is_doubled = word[n - 1] == word[n - 2] && !is_vowel(word[n - 1]) &&
                            std::string_view("lsz").find(word[n - 1]) == std::string_view::npos;
    if (is_doubled) word.pop_back();
    return word;
  }
  if (word.size() > 6 && word.ends_with('e')) word.pop_back();
  return word;
}

}  // namespace

std::string singular(const std::string& word, std::string_view language) {
  if (language == "en" && !word.ends_with('s')) return english_stem(word);
  const auto cut = [&](std::size_t n) { return word.substr(0, word.size() - n); };
  if (word.size() < 4 || !word.ends_with('s') || word.ends_with("ss") || word.ends_with("us") ||
      word.ends_with("is"))
    return word;
  if (language == "en") {
    if (word.ends_with("ies") && word.size() > 4) return cut(3) + "y";
    if (word.ends_with("xes") || word.ends_with("ches") || word.ends_with("shes") ||
        word.ends_with("sses"))
      return cut(2);
    return english_stem(cut(1));
  }
  if (word.ends_with("ões")) return cut(4) + "ão";
  const bool after_vowel = word.size() > 3 && std::string_view("aeiou").find(word[word.size() - 3]) !=
                                                  std::string_view::npos;
  return word.ends_with("es") && !after_vowel && language == "es" ? cut(2) : cut(1);
}

std::string signs_of(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_minus = text[i] == '-' && (i == 0 || text[i - 1] == ' ') && i + 1 < text.size() &&
                          std::isdigit(static_cast<unsigned char>(text[i + 1]));
    if (is_minus || std::string_view("+<>=*/&^~|\\").find(text[i]) != std::string_view::npos)
      out += text[i];
  }
  return out;
}

}  // namespace signalbox

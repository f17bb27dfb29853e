#include "sql/question_items.h"

#include <algorithm>
#include <charconv>

#include "sql/word_forms.h"

namespace signalbox {
namespace {

using Kind = QuestionItem::Kind;

struct Quoted {
  std::size_t begin = 0;  // bytes of the folded text, without the quotes
  std::size_t end = 0;
  std::string text;  // as it was written
};

// Spans in quotes. An apostrophe inside a word opens none.
std::vector<std::pair<std::size_t, std::size_t>> quoted_spans(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char quote = text[i];
    if (quote != '"' && quote != '\'' && quote != '`') continue;
    const auto is_letter = [&](std::size_t at) {
      return at < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[at])) || (text[at] & 0x80) != 0);
    };
    if (quote == '\'' && i > 0 && is_letter(i - 1)) continue;
    std::size_t end = i + 1;
    while (end < text.size() &&
           (text[end] != quote || (quote == '\'' && is_letter(end + 1) && is_letter(end - 1))))
      ++end;
    if (end >= text.size()) return out;
    out.emplace_back(i + 1, end);
    i = end;
  }
  return out;
}

std::string plain_quotes(std::string text) {
  for (const auto& [fancy, plain] : {std::pair<std::string_view, std::string_view>{"\u201c", "\""},
                                     {"\u201d", "\""},
                                     {"\u2018", "'"},
                                     {"\u2019", "'"},
                                     {"\u00ab", "\""},
                                     {"\u00bb", "\""}}) {
    for (std::size_t at = 0; (at = text.find(fancy, at)) != std::string::npos;)
      text.replace(at, fancy.size(), plain);
  }
  return text;
}

class ItemReader {
 public:
  ItemReader(const Text& text, std::string_view language, const NameIndex& names, const SqlWords& words,
             const DateReading& reading)
      : text_(text),
        language_(language),
        names_(names),
        words_(words),
        reading_(reading),
        phrases_(words.find(language, text)),
        adjectives_(words.adjectives(language)) {
    const std::string original = plain_quotes(text.original);
    const auto as_written = quoted_spans(original);
    const std::string folded = plain_quotes(text.folded);
    const auto spans =
        folded.size() == text.folded.size() ? quoted_spans(folded) : decltype(as_written){};
    for (std::size_t i = 0; i < spans.size() && spans.size() == as_written.size(); ++i) {
      quotes_.push_back(
          {spans[i].first, spans[i].second,
           original.substr(as_written[i].first, as_written[i].second - as_written[i].first)});
    }
    tokenize(text.original, written_);
  }

  std::vector<QuestionItem> read() {
    for (std::size_t at = 0; at < text_.tokens.size();) at = next(at);
    explain_by_values();
    return std::move(items_);
  }

 private:
  // "Italian food": the word after or before a value only says which column holds it.
  void explain_by_values() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].kind != Kind::Unknown) continue;
      for (const std::size_t beside : {i - 1, i + 1}) {
        if (beside >= items_.size() || items_[beside].values.empty()) continue;
        std::vector<SaidValue> meant = items_[beside].values;
        std::erase_if(meant, [&](const SaidValue& value) {
          return !names_.is_part_of(items_[i].text, value.table, value.column);
        });
        if (meant.empty()) continue;
        items_[beside].values = std::move(meant);
        items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
        --i;
        break;
      }
    }
  }

  bool is_capital(std::size_t at) const {
    if (written_.size() != text_.tokens.size()) return false;
    const char c = text_.original[written_[at].begin];
    return (c >= 'A' && c <= 'Z') || ((c & 0x80) != 0 && !text_.tokens[at].starts_sentence);
  }

  const SaidPhrase* phrase_at(std::size_t at) const {
    const auto found = std::find_if(phrases_.begin(), phrases_.end(),
                                    [&](const SaidPhrase& phrase) { return phrase.begin == at; });
    return found == phrases_.end() ? nullptr : &*found;
  }

  std::size_t add(QuestionItem item, std::size_t begin, std::size_t end) {
    item.begin = begin;
    item.end = end;
    item.starts_sentence = sentence_starts_ || text_.tokens[begin].starts_sentence;
    if (!items_.empty()) {
      const std::size_t from = text_.tokens[items_.back().end - 1].end;
      item.after_comma =
          text_.folded.substr(from, text_.tokens[begin].begin - from).find(',') != std::string::npos;
    }
    item.is_joined =
        !item.after_comma && !items_.empty() && items_.back().end == begin && lead_.empty();
    item.after_verb = std::exchange(lead_is_verb_, false);
    item.lead = std::exchange(lead_, "");
    sentence_starts_ = false;
    if (item.text.empty())
      item.text = text_.folded.substr(text_.tokens[begin].begin,
                                      text_.tokens[end - 1].end - text_.tokens[begin].begin);
    const std::string last(text_.word(end - 1));
    item.is_plural = word_forms(last).size() > 1 && !last.ends_with("'s");
    items_.push_back(std::move(item));
    return end;
  }

  std::size_t pass(std::size_t at, std::size_t end) {
    sentence_starts_ = sentence_starts_ || text_.tokens[at].starts_sentence;
    lead_ = text_.word(end - 1);
    const SaidPhrase* phrase = phrase_at(at);
    lead_is_verb_ = phrase && phrase->say == Say::Verbs;
    return end;
  }

  std::size_t next(std::size_t at) {
    for (const Quoted& quote : quotes_) {
      if (text_.tokens[at].begin < quote.begin || text_.tokens[at].begin >= quote.end) continue;
      QuestionItem item;
      item.kind = Kind::Quote;
      item.text = quote.text;
      item.values = names_.values_like(quote.text);
      std::size_t end = at;
      while (end < text_.tokens.size() && text_.tokens[end].begin < quote.end) ++end;
      return add(std::move(item), at, end);
    }
    std::size_t name_words = 0;
    std::size_t value_words = 0;
    const std::vector<SaidName> said = names_.names_at(text_, at, name_words);
    std::vector<SaidValue> values = names_.values_at(text_, at, value_words);
    const SaidPhrase* phrase = phrase_at(at);
    const std::size_t phrase_words = phrase ? phrase->end - phrase->begin : 0;
    if (value_words > 0 && !takes_value(values, at, value_words, phrase)) value_words = 0;
    if (const auto date = read_date(text_, at, words_, reading_);
        date && date->end - at >= name_words) {
      QuestionItem item;
      item.kind = Kind::Date;
      item.span = date->span;
      return add(std::move(item), at, date->end);
    }
    if (const std::size_t end = adjective(at, std::max(name_words, phrase_words)); end > at) return end;
    if (value_words > 0 && value_words >= phrase_words &&
        (value_words > name_words ||
         (value_words == name_words && is_capital(at) && !text_.tokens[at].starts_sentence))) {
      QuestionItem item;
      item.kind = Kind::Value;
      item.values = std::move(values);
      return add(std::move(item), at, at + value_words);
    }
    // "the highest point" of a table that has such a column: the article is passed over.
    if (phrase && phrase_words > 1 && name_words == 0 && at + 1 < text_.tokens.size()) {
      std::size_t later = 0;
      const auto names = names_.names_at(text_, at + 1, later);
      if (later >= phrase_words && !names.empty() && words_.is_stop(language_, text_.word(at)))
        return pass(at, at + 1);
    }
    const bool is_filler = phrase && (phrase->say == Say::Stop || phrase->say == Say::Verbs);
    if (name_words > 0 && prefers_name(said, name_words, phrase, at)) {
      QuestionItem item;
      item.kind = Kind::Name;
      item.names = said;
      if (value_words == name_words) item.values = std::move(values);
      return add(std::move(item), at, at + name_words);
    }
    if (phrase && !is_filler) {
      QuestionItem item;
      item.kind = Kind::Phrase;
      item.say = phrase->say;
      item.is_high = item.say != Say::LessThan;
      for (std::size_t word = at; word < phrase->end && item.concept_name.empty(); ++word)
        item.concept_name = words_.comparative(text_.word(word));
      return add(std::move(item), at, phrase->end);
    }
    if (const std::size_t end = number_or_unit(at); end > at) return end;
    if (const auto* concepts = words_.weak(text_.word(at))) {
      QuestionItem item;
      item.kind = Kind::Weak;
      item.concepts = *concepts;
      return add(std::move(item), at, at + 1);
    }
    // A filler gives way to a date that begins inside it: "del mes pasado".
    for (std::size_t inside = at + 1; is_filler && inside < phrase->end; ++inside) {
      if (read_date(text_, inside, words_, reading_)) return pass(at, inside);
    }
    if (is_filler) return pass(at, phrase->end);
    return add({}, at, at + 1);
  }

  bool takes_value(std::vector<SaidValue>& values, std::size_t at, std::size_t length,
                   const SaidPhrase* phrase) const {
    const bool is_marked = is_capital(at) && (!text_.tokens[at].starts_sentence || length > 1);
    const bool has_digit = std::any_of(text_.word(at).begin(), text_.word(at).end(),
                                       [](char c) { return c >= '0' && c <= '9'; });
    if (phrase && !is_marked && length <= phrase->end - phrase->begin) return false;
    if (text_.tokens[at].is_number && length == 1) return false;
    if (is_marked || has_digit || length > 1) return true;
    // "female" may be stored as F; a lone "f" is no value.
    const bool is_short = text_.word(at).size() < 3;
    std::erase_if(values, [&](const SaidValue& value) { return value.is_rare || is_short; });
    return !values.empty();
  }

  // A phrase that does something comes before a name as short as it, unless nothing follows that it
  // could be done to: "the total" of an invoice is its column.
  bool prefers_name(const std::vector<SaidName>& said, std::size_t length, const SaidPhrase* phrase,
                    std::size_t at) const {
    const bool is_only_when =
        std::all_of(said.begin(), said.end(), [](const SaidName& name) { return name.is_when; });
    if (!phrase) return true;
    const std::size_t words = phrase->end - phrase->begin;
    if (phrase->say == Say::Stop || phrase->say == Say::Verbs) {
      if (is_only_when) return true;
      const bool is_whole =
          std::any_of(said.begin(), said.end(), [](const SaidName& name) { return name.quality >= 2; });
      return length >= words && is_whole &&
             (phrase->say == Say::Stop ? words > 1 || text_.word(at).size() > 3 : true);
    }
    // "the total of invoices" is a sum, "the invoice total" a column.
    const bool says_table =
        std::any_of(said.begin(), said.end(), [](const SaidName& name) { return name.says_table; });
    if (phrase->say == Say::Sum && says_table && length > 2) return false;
    if (length > words) return true;
    if (length < words) return false;
    if (phrase->say != Say::Sum && phrase->say != Say::Count && phrase->say != Say::Order) return false;
    std::size_t next = at + words;
    while (next < text_.tokens.size()) {
      const SaidPhrase* skipped = phrase_at(next);
      if (!skipped || skipped->say != Say::Stop) break;
      next = skipped->end;
    }
    if (next >= text_.tokens.size() || text_.tokens[next].starts_sentence) return true;
    std::size_t following = 0;
    const auto names = names_.names_at(text_, next, following);
    const SaidPhrase* then = phrase_at(next);
    const bool can_take =
        std::any_of(names.begin(), names.end(), [](const SaidName& name) { return !name.is_when; }) ||
        words_.weak(text_.word(next)) != nullptr ||
        (then && (then->say == Say::Count || then->say == Say::Distinct));
    return !can_take;
  }

  std::size_t adjective(std::size_t at, std::size_t longer_than) {
    const SqlAdjective* best = nullptr;
    for (const SqlAdjective& adjective : adjectives_) {
      if (adjective.words.size() < longer_than ||
          (best && adjective.words.size() <= best->words.size()))
        continue;
      bool fits = at + adjective.words.size() <= text_.tokens.size();
      for (std::size_t i = 0; fits && i < adjective.words.size(); ++i)
        fits = text_.word(at + i) == adjective.words[i];
      if (fits) best = &adjective;
    }
    if (!best) return at;
    QuestionItem item;
    item.kind = Kind::Adjective;
    item.concept_name = best->concept_name;
    item.is_high = best->is_high;
    return add(std::move(item), at, at + best->words.size());
  }

  std::size_t number_or_unit(std::size_t at) {
    QuestionItem item;
    const std::string word(text_.word(at));
    if (text_.tokens[at].is_number) {
      std::string digits = word;
      std::erase(digits, ',');
      const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), item.number);
      if (ec != std::errc() || end != digits.data() + digits.size()) return at;
      item.kind = Kind::Number;
      item.text = digits;
      std::size_t after = at + 1;
      if (after < text_.tokens.size()) {
        const int scale = words_.number(language_, text_.word(after));
        if (scale >= 100) {
          item.number *= scale;
          ++after;
        }
      }
      return add(std::move(item), at, after);
    }
    if (const int spoken = words_.number(language_, word); spoken > 0) {
      item.kind = Kind::Number;
      item.number = spoken;
      std::size_t end = at + 1;
      while (end < text_.tokens.size() && words_.number(language_, text_.word(end)) >= 100)
        item.number *= words_.number(language_, text_.word(end++));
      return add(std::move(item), at, end);
    }
    std::string name = words_.adverb(word);
    item.is_adverb = !name.empty();
    const auto unit = words_.dates().units.find(word);
    if (unit != words_.dates().units.end()) name = unit->second;
    if (name.empty()) return at;
    item.kind = Kind::Unit;
    item.grain = name == "day"       ? DateGrain::Day
                 : name == "week"    ? DateGrain::Week
                 : name == "month"   ? DateGrain::Month
                 : name == "quarter" ? DateGrain::Quarter
                                     : DateGrain::Year;
    return add(std::move(item), at, at + 1);
  }

  const Text& text_;
  std::string_view language_;
  const NameIndex& names_;
  const SqlWords& words_;
  const DateReading& reading_;
  std::vector<SaidPhrase> phrases_;
  const std::vector<SqlAdjective>& adjectives_;
  std::vector<Quoted> quotes_;
  std::vector<Token> written_;
  std::vector<QuestionItem> items_;
  std::string lead_;
  bool lead_is_verb_ = false;
  bool sentence_starts_ = false;
};

}  // namespace

std::vector<QuestionItem> read_items(const Text& text, std::string_view language,
                                     const NameIndex& names, const SqlWords& words,
                                     const DateReading& reading) {
  return ItemReader(text, language, names, words, reading).read();
}

}  // namespace signalbox

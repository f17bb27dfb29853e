// From words to a Meaning: look up, join numbers with their units, find who does what to whom.

#include <algorithm>

#include "cache/meaning.h"
#include "cache/spoken_words.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxWords = 64;
constexpr std::size_t kMaxSplit = 6;  // words between a verb and its particle

using Kind = WordUse::Kind;

struct Item {
  Kind kind = Kind::Meaning;
  MeaningPart part;
  std::string_view name;  // of a role or an ask
  std::string_view word;  // as it was said
  bool is_verb = false;
};

bool has(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class MeaningReader {
 public:
  MeaningReader(const LanguageWords& known, std::string_view language, std::vector<SpokenWord> words)
      : known_(known), language_(language), words_(std::move(words)) {}

  Meaning read(bool is_question) {
    meaning_.language = language_;
    for (const SpokenWord& word : words_) {
      meaning_.is_past = meaning_.is_past || has(known_.past, word.folded);
      meaning_.is_future = meaning_.is_future || has(known_.future, word.folded);
    }
    gather_particles();
    look_up();
    settle_pointers();
    join_numbers();
    settle_asks(is_question);
    build_phrases();
    meaning_.is_readable = !meaning_.core.empty() || !meaning_.phrases.empty() ||
                           (!meaning_.dates.empty() && !meaning_.asks.empty()) ||
                           meaning_.asks == std::vector<std::string>{"time"};
    return std::move(meaning_);
  }

 private:
  // "switch the light on" becomes "switch on the light".
  void gather_particles() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!has(known_.split_verbs, words_[i].folded)) continue;
      for (std::size_t j = i + 2; j < std::min(words_.size(), i + kMaxSplit + 2); ++j) {
        if (!has(known_.particles, words_[j].folded)) continue;
        const bool is_last = j + 1 == words_.size();
        const WordUse* next = is_last ? nullptr : single_use(words_[j + 1].folded);
        if (!is_last && !(next && (next->kind == Kind::Role || next->sort == Sort::Date))) continue;
        std::rotate(words_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    words_.begin() + static_cast<std::ptrdiff_t>(j),
                    words_.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        break;
      }
    }
  }

  const WordUse* single_use(const std::string& word) const {
    const auto found = known_.anywhere.find(word);
    if (found == known_.anywhere.end() || !found->second.back().rest.empty()) return nullptr;
    return &found->second.back().use;
  }

  // The longest phrase that begins at `at`.
  const LanguageWords::Phrase* phrase_at(const LanguageWords::Table& table, std::size_t at) const {
    if (words_[at].is_quote) return nullptr;
    const auto found = table.find(words_[at].folded);
    if (found == table.end()) return nullptr;
    for (const auto& phrase : found->second) {
      if (at + phrase.rest.size() >= words_.size()) continue;
      std::size_t i = 0;
      while (i < phrase.rest.size() && words_[at + 1 + i].folded == phrase.rest[i] &&
             !words_[at + 1 + i].is_quote)
        ++i;
      if (i == phrase.rest.size()) return &phrase;
    }
    return nullptr;
  }

  void drop_end() {
    for (std::size_t at = words_.size(); at-- > 1;) {
      const auto* phrase = phrase_at(known_.at_end, at);
      if (phrase && at + 1 + phrase->rest.size() == words_.size()) words_.resize(at);
    }
  }

  bool looks_like_verb(std::size_t at) const {
    if (at >= words_.size()) return false;
    const WordUse* use = single_use(words_[at].folded);
    if (use && use->is_verb) return true;
    return std::any_of(known_.infinitives.begin(), known_.infinitives.end(), [&](const std::string& e) {
      return words_[at].folded.size() > e.size() + 1 && words_[at].folded.ends_with(e);
    });
  }

  void look_up() {
    bool at_start = true;
    drop_end();
    items_.reserve(words_.size());
    for (std::size_t at = 0; at < words_.size();) {
      const auto* phrase = phrase_at(known_.anywhere, at);
      if (at_start) {
        const auto* opening = phrase_at(known_.at_start, at);
        // Courtesy before nothing is the message itself: "can you help me".
        const bool is_all =
            opening && opening->use.name == "request" && at + opening->rest.size() + 1 == words_.size();
        if (opening && !is_all && (!phrase || opening->rest.size() >= phrase->rest.size()))
          phrase = opening;
      }
      // "US" is no "us", "IT" no "it"; "USD" and "PM" are what they are.
      const bool measures =
          phrase && (phrase->use.sort == Sort::Unit || phrase->use.sort == Sort::Currency ||
                     phrase->use.sort == Sort::Date);
      if (phrase && words_[at].is_all_caps && phrase->use.kind != Kind::Ask && !measures)
        phrase = nullptr;
      if (!phrase) {
        items_.push_back({Kind::Meaning, plain_part(words_[at]), "", words_[at].folded, false});
        at_start = false;
        ++at;
        continue;
      }
      const WordUse& use = phrase->use;
      items_.push_back({use.kind, {use.sort, use.name}, use.name, words_[at].folded, use.is_verb});
      // "quiero cancelar" is a request, "quiero un reembolso" a wish.
      if (use.kind == Kind::Ask && use.name == "want" && looks_like_verb(at + 1 + phrase->rest.size()))
        items_.back().name = "request";
      if (use.is_verb && is_written_past(words_[at])) items_.back().part.word += "'";
      at_start = at_start && (use.kind == Kind::Drop || use.kind == Kind::Ask);
      at += 1 + phrase->rest.size();
    }
    std::erase_if(items_, [](const Item& item) { return item.kind == Kind::Drop; });
    std::sort(meaning_.names.begin(), meaning_.names.end());
  }

  bool is_written_past(const SpokenWord& word) const {
    return std::any_of(known_.past_endings.begin(), known_.past_endings.end(),
                       [&](const std::string& ending) { return word.written.ends_with(ending); });
  }

  MeaningPart plain_part(const SpokenWord& word) {
    if (word.is_quote) return {Sort::Quote, word.folded};
    if (word.is_number) return {Sort::Number, word.written};
    std::string written = word.written;
    if (written.ends_with("'s")) {
      written.resize(written.size() - 2);
      if (const WordUse* use = single_use(written); use && use->kind == Kind::Meaning)
        return {use->sort, use->name};
    }
    const bool is_name = word.is_capital || word.is_all_caps ||
                         written.find_first_of("_0123456789") != std::string::npos;
    if (is_name) meaning_.names.push_back(written);
    return {Sort::Word, singular(written, language_)};
  }

  // "this order" is the order; "this year" is the current one; "cancel this" is about something.
  void settle_pointers() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Item& item = items_[i];
      if (item.kind == Kind::Point) {
        const bool has_next = i + 1 < items_.size() && items_[i + 1].kind == Kind::Meaning;
        if (has_next && items_[i + 1].part.sort == Sort::Date) {
          item.kind = Kind::Meaning, item.part = {Sort::Date, "this"};
        } else if (has_next) {
          continue;
        } else {
          item.kind = Kind::Meaning, item.part = {Sort::Word, "it"};
        }
      }
      if (kept != i) items_[kept] = std::move(item);
      ++kept;
    }
    items_.resize(kept);
  }

  static Item measure(MeaningPart part) { return {Kind::Meaning, std::move(part), "", "", false}; }
  static bool measures(const Item& item) {
    return item.kind == Kind::Meaning &&
           (item.part.sort == Sort::Unit || item.part.sort == Sort::Currency ||
            item.part.sort == Sort::Date);
  }
  static bool is_amount(Sort sort) {
    return sort == Sort::Number || sort == Sort::Unit || sort == Sort::Currency;
  }
  static bool is_of_role(const Item& item) { return item.kind == Kind::Role && item.name == "of"; }

  // 5 kg, $20, 20 dollars, March 3 and 3 de marzo are one part each; "top 5" is "5 top".
  void join_numbers() {
    if (std::none_of(items_.begin(), items_.end(), [](const Item& item) {
          return item.kind == Kind::Meaning && item.part.sort == Sort::Number;
        }))
      return;
    std::vector<Item> out;
    out.reserve(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Item& item = items_[i];
      const bool is_number = item.kind == Kind::Meaning && item.part.sort == Sort::Number;
      std::size_t next = i + 1;
      if (is_number && next + 1 < items_.size() && is_of_role(items_[next]) &&
          items_[next + 1].kind == Kind::Meaning && items_[next + 1].part.sort == Sort::Date)
        ++next;
      if (is_number && next < items_.size() && measures(items_[next])) {
        const MeaningPart& unit = items_[next].part;
        out.push_back(measure({unit.sort, item.part.word + " " + unit.word}));
        i = next;
        continue;
      }
      const bool before_number = next < items_.size() && items_[next].kind == Kind::Meaning &&
                                 items_[next].part.sort == Sort::Number;
      const bool is_sign = item.kind == Kind::Meaning && item.part.sort == Sort::Currency;
      if (is_sign && before_number) {
        out.push_back(measure({Sort::Currency, items_[next].part.word + " " + item.part.word}));
        ++i;
        continue;
      }
      if (item.kind == Kind::Meaning && item.part.sort == Sort::Comparative && before_number) {
        const bool is_measured = next + 1 < items_.size() && measures(items_[next + 1]);
        if (!is_measured) {
          out.push_back(std::move(items_[next]));
          out.push_back(std::move(item));
          ++i;
          continue;
        }
      }
      out.push_back(std::move(item));
    }
    items_ = std::move(out);
  }

  static bool said(const std::vector<std::string_view>& asks, std::string_view ask) {
    return std::find(asks.begin(), asks.end(), ask) != asks.end();
  }

  void settle_asks(bool is_question) {
    std::vector<std::string_view> asks;
    for (const Item& item : items_) {
      if (item.kind == Kind::Ask && !said(asks, item.name)) asks.push_back(item.name);
    }
    std::erase_if(items_, [](const Item& item) { return item.kind == Kind::Ask; });
    const bool is_bare = asks.empty();  // whether anything says what is asked
    if (std::erase(asks, "mean") > 0 && !said(asks, "define")) asks.emplace_back("define");
    const bool is_request = std::erase(asks, "request") > 0;
    if (std::erase(asks, "mild") > 0 && !is_request && asks.empty()) asks.emplace_back("whether");
    std::erase(asks, "what");
    std::erase(asks, "which");
    for (const std::string_view weak : {"does", "define", "whether", "can"}) {
      if (asks.size() > 1) std::erase(asks, weak);
    }
    if (is_bare && is_question) asks.emplace_back("whether");
    std::sort(asks.begin(), asks.end());
    meaning_.asks.assign(asks.begin(), asks.end());
  }

  void build_phrases() {
    std::vector<MeaningPhrase> phrases(1);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      Item& item = items_[i];
      if (item.kind != Kind::Role) {
        phrases.back().parts.push_back(std::move(item.part));
      } else if (i + 1 == items_.size()) {
        phrases.back().parts.push_back({Sort::Direction, std::string(item.word)});
      } else if (!items_[i + 1].is_verb) {
        phrases.push_back({std::string(item.name), {}});
      }
    }
    float_dates(phrases);
    // "status of the order" is "order status": what follows `of` stands before the word it belongs to.
    for (std::size_t i = phrases.size(); i-- > 1;) {
      if (phrases[i].role != "of") continue;
      auto& head = phrases[i - 1].parts;
      // "by 5 percent", "for two": a measure stays where it stands.
      const bool is_measure = phrases[i].parts.size() == 1 && is_amount(phrases[i].parts.front().sort);
      const auto place = head.empty() || is_measure ? head.end() : head.end() - 1;
      head.insert(place, phrases[i].parts.begin(), phrases[i].parts.end());
      phrases.erase(phrases.begin() + static_cast<std::ptrdiff_t>(i));
    }
    meaning_.core = std::move(phrases.front().parts);
    phrases.erase(phrases.begin());
    std::erase_if(phrases, [](const MeaningPhrase& phrase) { return phrase.parts.empty(); });
    meaning_.phrases = std::move(phrases);
    std::sort(meaning_.phrases.begin(), meaning_.phrases.end());
  }

  // When something is may be said anywhere, unless a phrase leads from one time to another or groups by
  // it.
  void float_dates(std::vector<MeaningPhrase>& phrases) {
    const auto holds = [&](std::string_view role) {
      return std::any_of(phrases.begin(), phrases.end(), [&](const auto& p) { return p.role == role; });
    };
    const bool is_range = holds("from") && holds("to");
    for (MeaningPhrase& phrase : phrases) {
      if (phrase.role == "by" || phrase.role == "than") continue;
      if (is_range && (phrase.role == "from" || phrase.role == "to")) continue;
      std::erase_if(phrase.parts, [&](const MeaningPart& part) {
        if (part.sort == Sort::Date) meaning_.dates.push_back(part);
        return part.sort == Sort::Date;
      });
    }
  }

  const LanguageWords& known_;
  std::string_view language_;
  std::vector<SpokenWord> words_;
  std::vector<Item> items_;
  Meaning meaning_;
};

}  // namespace

Meaning read_meaning(const Text& text, std::string_view language, const MeaningWords& words) {
  Meaning meaning;
  meaning.language = language;
  const LanguageWords* known = words.find(language);
  if (!known || text.tokens.empty() || text.tokens.size() > kMaxWords) return meaning;
  const bool is_question =
      text.folded.find('?') != std::string::npos || text.original.find("？") != std::string::npos;
  meaning = MeaningReader(*known, language, spoken_words(text, language)).read(is_question);
  meaning.signs = signs_of(text.original);
  return meaning;
}

}  // namespace signalbox

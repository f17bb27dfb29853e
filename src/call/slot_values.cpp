#include "call/slot_values.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "call/schema_check.h"
#include "call/slot_dates.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

// Opening and closing marks; a straight one closes itself.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kQuotes = {
    {{"\"", "\""}, {"“", "”"}, {"«", "»"}, {"‘", "’"}, {"`", "`"}, {"'", "'"}}};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

class ValueFinder {
 public:
  ValueFinder(std::string_view text, const SlotWords& words, WallTime now)
      : text_(text), words_(words), now_(now), said_(split_words(text)), is_taken_(text.size()) {}

  std::vector<SlotValue> find() {
    find_quoted();
    find_patterns();
    find_days();
    find_money();
    find_numbers();
    find_identifiers();
    find_names();
    std::sort(found_.begin(), found_.end(),
              [](const SlotValue& a, const SlotValue& b) { return a.begin < b.begin; });
    return std::move(found_);
  }

 private:
  bool is_free(std::size_t begin, std::size_t end) const {
    return std::none_of(is_taken_.begin() + static_cast<std::ptrdiff_t>(begin),
                        is_taken_.begin() + static_cast<std::ptrdiff_t>(end),
                        [](bool taken) { return taken; });
  }
  bool is_free(const SlotWord& word) const { return is_free(word.begin, word.end); }

  void take(SlotKind kind, std::size_t begin, std::size_t end, std::string text, std::string value,
            std::string currency = "") {
    if (begin >= end || !is_free(begin, end)) return;
    std::fill(is_taken_.begin() + static_cast<std::ptrdiff_t>(begin),
              is_taken_.begin() + static_cast<std::ptrdiff_t>(end), true);
    found_.push_back({kind, begin, end, std::move(text), std::move(value), std::move(currency)});
  }

  // An apostrophe inside a word quotes nothing.
  bool opens(std::size_t at, std::string_view mark) const {
    if (text_.substr(at, mark.size()) != mark) return false;
    return mark != "'" || at == 0 || !is_word_byte(text_[at - 1]);
  }

  std::size_t closing(std::size_t from, std::string_view mark) const {
    for (std::size_t at = text_.find(mark, from); at != std::string_view::npos;
         at = text_.find(mark, at + 1)) {
      const std::size_t after = at + mark.size();
      if (mark != "'" || after >= text_.size() || !is_word_byte(text_[after])) return at;
    }
    return std::string_view::npos;
  }

  void find_quoted() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      for (const auto& [open, close] : kQuotes) {
        if (!opens(at, open)) continue;
        const std::size_t begin = at + open.size();
        std::size_t end = closing(begin, close);
        std::size_t after = end + close.size();
        if (end == std::string_view::npos) {
          if (open != "\"" || begin >= text_.size()) continue;  // left open: it goes to the end
          end = after = text_.size();
          while (end > begin && (text_[end - 1] == '.' || is_space(text_[end - 1]))) --end;
        }
        if (end <= begin || end - begin > 2000) continue;
        const std::string inside(text_.substr(begin, end - begin));
        take(SlotKind::Quoted, at, after, inside, inside);
        at = after - 1;
        break;
      }
    }
  }

  void find_patterns() {
    static const RE2 email(R"(([^\s@<>"(),;]{1,64}@[^\s@<>"(),;]{1,190}\.[A-Za-z]{2,24}))");
    static const RE2 url(
        R"(((?:https?|ftp)://[^\s<>"]*[^\s<>".,;:!?)]|www\.[^\s<>"]*[^\s<>".,;:!?)]))");
    static const RE2 ip(R"(\b(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})\b)");
    static const RE2 uuid(R"(\b([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\b)");
    static const RE2 time(
        R"(\b((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?: ?[AaPp]\.?[Mm]\b)?|(?:1[0-2]|[1-9]) ?[AaPp][Mm]\b))");
    for (const auto& [pattern, kind] :
         {std::pair(&email, SlotKind::Email), std::pair(&url, SlotKind::Url),
          std::pair(&ip, SlotKind::Identifier), std::pair(&uuid, SlotKind::Identifier),
          std::pair(&time, SlotKind::Time)}) {
      re2::StringPiece rest(text_.data(), text_.size());
      re2::StringPiece hit;
      while (RE2::FindAndConsume(&rest, *pattern, &hit)) {
        const auto begin = static_cast<std::size_t>(hit.data() - text_.data());
        take(kind, begin, begin + hit.size(), std::string(hit), std::string(hit));
      }
    }
  }

  void find_days() {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      if (!is_free(said_[i])) continue;
      const auto day = day_at(said_, i, words_, now_);
      if (!day) continue;
      const std::size_t begin = said_[i].begin;
      const std::size_t end = said_[i + day->count - 1].end;
      take(SlotKind::Date, begin, end, std::string(text_.substr(begin, end - begin)), day->date);
      i += day->count - 1;
    }
  }

  // "12,500.50" and "12.5"; empty for what is no number.
  static std::string plain_number(std::string_view word) {
    static const RE2 grouped(R"(-?\d{1,3}(,\d{3})+(\.\d+)?)");
    static const RE2 plain(R"(-?\d+(\.\d+)?)");
    std::string text(word);
    if (RE2::FullMatch(text, grouped))
      text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    return RE2::FullMatch(text, plain) ? text : "";
  }

  std::string currency_of(std::string_view word) const {
    const auto known = words_.currencies.find(std::string(word));
    return known == words_.currencies.end() ? "" : known->second;
  }

  void find_money() {
    for (std::size_t i = 0; i < said_.size(); ++i) {
      const SlotWord& word = said_[i];
      std::string number = plain_number(text_.substr(word.begin, word.end - word.begin));
      if (number.empty() || !is_free(word)) continue;
      std::size_t sign = word.begin;
      while (sign > 0 && !is_space(text_[sign - 1]) && word.begin - sign < 4) --sign;
      const std::string before = currency_of(fold(text_.substr(sign, word.begin - sign)));
      const std::string after = i + 1 < said_.size() ? currency_of(said_[i + 1].folded) : "";
      if (!before.empty())
        take(SlotKind::Money, sign, word.end, std::string(text_.substr(sign, word.end - sign)), number,
             before);
      else if (!after.empty())
        take(SlotKind::Money, word.begin, said_[i + 1].end,
             std::string(text_.substr(word.begin, said_[i + 1].end - word.begin)), number, after);
    }
  }

  void find_numbers() {
    for (const SlotWord& word : said_) {
      std::size_t begin = word.begin;
      if (begin > 0 && text_[begin - 1] == '-' && (begin == 1 || is_space(text_[begin - 2]))) --begin;
      const std::string text(text_.substr(begin, word.end - begin));
      if (const std::string number = plain_number(text); !number.empty()) {
        take(SlotKind::Number, begin, word.end, text, number);
        continue;
      }
      if (const auto named = words_.numbers.find(word.folded);
          named != words_.numbers.end() && named->second > 1)
        take(SlotKind::Number, word.begin, word.end, text, std::to_string(named->second));
    }
  }

  // "JtIPYPXczsXO", "invoice-001", "in_progress", "PROJ-100".
  void find_identifiers() {
    for (const SlotWord& word : said_) {
      const std::string_view text = text_.substr(word.begin, word.end - word.begin);
      const bool has_digit =
          std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
      const bool has_letter = std::any_of(text.begin(), text.end(),
                                          [](char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); });
      const bool has_inner_capital =
          text.size() > 2 && std::any_of(text.begin() + 1, text.end(), is_upper) &&
          std::any_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
      const bool has_sign = text.find('_') != std::string_view::npos;
      if ((has_digit && has_letter) || has_inner_capital || has_sign)
        take(SlotKind::Identifier, word.begin, word.end, std::string(text), std::string(text));
    }
  }

  // Words with a capital, one after the other; a message's first word has one anyway.
  void find_names() {
    const auto is_name_word = [&](std::size_t i) {
      return i < said_.size() && is_upper(text_[said_[i].begin]) && is_free(said_[i]);
    };
    for (std::size_t i = 0; i < said_.size(); ++i) {
      if (!is_name_word(i) || starts_sentence(i) || words_.never_names.contains(said_[i].folded))
        continue;
      std::size_t last = i;
      while (is_name_word(last + 1) && !starts_sentence(last + 1) && is_beside(last)) ++last;
      const std::size_t begin = said_[i].begin;
      const std::size_t end = said_[last].end;
      const std::string name(text_.substr(begin, end - begin));
      take(SlotKind::Name, begin, end, name, name);
      i = last;
    }
  }

  bool starts_sentence(std::size_t i) const {
    if (i == 0) return true;
    const std::string_view gap = text_.substr(said_[i - 1].end, said_[i].begin - said_[i - 1].end);
    return gap.find_first_of(".!?\n") != std::string_view::npos;
  }
  // Nothing but a space, or ", " as in "Paris, France".
  bool is_beside(std::size_t i) const {
    const std::string_view gap = text_.substr(said_[i].end, said_[i + 1].begin - said_[i].end);
    return gap == " " || gap == ". " || gap == ", ";
  }

  std::string_view text_;
  const SlotWords& words_;
  WallTime now_;
  std::vector<SlotWord> said_;
  std::vector<bool> is_taken_;
  std::vector<SlotValue> found_;
};

}  // namespace

std::vector<SlotWord> split_words(std::string_view text) {
  std::vector<SlotWord> out;
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && is_space(text[at])) ++at;
    std::size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    std::size_t first = at;
    std::size_t last = end;
    while (first < last && !is_word_byte(text[first])) ++first;
    while (last > first && !is_word_byte(text[last - 1])) --last;
    if (first < last) out.push_back({first, last, fold(text.substr(first, last - first))});
    at = end;
  }
  return out;
}

std::vector<SlotValue> find_values(std::string_view text, const SlotWords& words, WallTime now) {
  return ValueFinder(text, words, now).find();
}

}  // namespace signalbox

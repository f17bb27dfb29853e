// The values of a database's columns, as a question may say them.

#include <algorithm>

#include "sql/name_index.h"
#include "sql/word_forms.h"

namespace signalbox {
namespace {

constexpr std::size_t kFewValues = 60;    // a column with so few says what kind of thing a row is
constexpr std::size_t kLongestValue = 8;  // words

std::string value_key(std::string_view value, std::size_t& words) {
  const auto text = normalize(value);
  words = text ? text->tokens.size() : 0;
  std::string out;
  for (std::size_t i = 0; i < words; ++i) {
    if (i > 0) out += ' ';
    out += text->word(i);
  }
  return out;
}

}  // namespace

void NameIndex::add_values(int table, int place) {
  const SqlColumn& column =
      schema_.tables[static_cast<std::size_t>(table)].columns[static_cast<std::size_t>(place)];
  if (column.kind != SqlKind::Text) return;
  const bool is_rare = !column.has_all_samples || column.samples.size() > kFewValues;
  for (const std::string& sample : column.samples) {
    std::size_t words = 0;
    const std::string key = value_key(sample, words);
    if (words == 0 || words > kLongestValue) continue;
    values_[key].push_back({table, place, sample, is_rare});
    std::size_t& longest = longest_value_[key.substr(0, key.find(' '))];
    longest = std::max(longest, words);
  }
}

std::vector<SaidValue> NameIndex::values_at(const Text& text, std::size_t at,
                                            std::size_t& length) const {
  length = 0;
  std::string key;
  std::vector<SaidValue> out;
  const std::string first(text.word(at));
  std::size_t longest = 0;
  for (const std::string& form : word_forms(first)) {
    const auto found = longest_value_.find(form);
    if (found != longest_value_.end()) longest = std::max(longest, found->second);
  }
  longest = std::max<std::size_t>(longest, 4);  // other ways to say a value
  for (std::size_t words = 1; words <= longest && at + words <= text.tokens.size(); ++words) {
    if (words > 1 && text.tokens[at + words - 1].starts_sentence) break;
    const std::string last(text.word(at + words - 1));
    const std::string before = key.empty() ? "" : key + " ";
    std::vector<SaidValue> here;
    const auto take = [&](const std::string& wanted) {
      const auto found = values_.find(wanted);
      if (found != values_.end()) here.insert(here.end(), found->second.begin(), found->second.end());
    };
    for (const std::string& form : word_forms(last)) {
      if (here.empty()) take(before + form);
    }
    if (here.empty()) {
      for (const std::string& other : words_.other_values(before + last)) take(other);
    }
    if (!here.empty()) {
      out = std::move(here);
      length = words;
    }
    key = before + last;
  }
  return out;
}

std::vector<SaidValue> NameIndex::values_like(std::string_view text) const {
  std::size_t words = 0;
  const std::string key = value_key(text, words);
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  std::vector<SaidValue> out;
  for (const std::string& other : words_.other_values(key)) {
    const auto there = values_.find(other);
    if (there != values_.end()) out.insert(out.end(), there->second.begin(), there->second.end());
  }
  return out;
}

}  // namespace signalbox

#include "probe/allowlist.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "cache/cache_key.h"
#include "normalize/fold.h"

namespace signalbox {
namespace {

constexpr std::size_t kKeptMatchers = 64;

// The word and what may be its singular: orders, order; addresses, address; regiões, região.
std::vector<std::string> forms_of(std::string_view word) {
  std::vector<std::string> forms{std::string(word)};
  const auto add = [&](std::string_view ending, std::string_view instead) {
    if (word.size() > ending.size() + 2 && word.ends_with(ending))
      forms.push_back(std::string(word.substr(0, word.size() - ending.size())) + std::string(instead));
  };
  if (!word.ends_with('s') || word.ends_with("ss")) return forms;
  add("s", "");
  add("es", "");
  add("ies", "y");
  add("oes", "ao");
  add("aes", "ao");
  add("ais", "al");
  add("eis", "el");
  add("ns", "m");
  add("ces", "z");
  return forms;
}

// snake_case, camelCase and spoken forms all become the same list of words.
std::vector<std::string> words_of(std::string_view name) {
  std::string spaced;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_hump =
        i > 0 && name[i] >= 'A' && name[i] <= 'Z' && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    if (is_hump) spaced += ' ';
    spaced += name[i] == '_' || name[i] == '.' || name[i] == '-' ? ' ' : name[i];
  }
  const std::string folded = fold(spaced);
  std::vector<Token> tokens;
  tokenize(folded, tokens);
  std::vector<std::string> words;
  for (const Token& token : tokens)
    words.push_back(folded.substr(token.begin, token.end - token.begin));
  return words;
}

bool share_form(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& form) {
    return std::find(b.begin(), b.end(), form) != b.end();
  });
}

}  // namespace

AllowlistMatcher::AllowlistMatcher(const Allowlist& allowlist) {
  std::set<std::string> columns;
  const auto add = [&](const std::string& name, bool is_table) {
    Name entry{name, is_table, {}};
    for (const std::string& word : words_of(name)) entry.parts.push_back(forms_of(word));
    if (entry.parts.empty()) return;
    for (const std::string& form : entry.parts.front()) by_first_[form].push_back(names_.size());
    names_.push_back(std::move(entry));
  };
  for (const auto& [table, names] : allowlist) {
    add(table, true);
    columns.insert(names.begin(), names.end());
  }
  for (const std::string& column : columns) add(column, false);
}

AllowlistHits AllowlistMatcher::find(const Text& text) const {
  AllowlistHits hits;
  if (names_.empty()) return hits;
  std::vector<std::vector<std::string>> words;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const std::string_view word = text.word(i);
    if (word.find('_') == std::string_view::npos) {
      words.push_back(forms_of(word));
      continue;
    }
    for (const std::string& part : words_of(word)) words.push_back(forms_of(part));
  }
  std::vector<bool> is_found(names_.size(), false);
  for (std::size_t at = 0; at < words.size(); ++at) {
    for (const std::string& form : words[at]) {
      const auto candidates = by_first_.find(form);
      if (candidates == by_first_.end()) continue;
      for (const std::size_t index : candidates->second) {
        const auto& parts = names_[index].parts;
        if (is_found[index] || at + parts.size() > words.size()) continue;
        std::size_t i = 1;
        while (i < parts.size() && share_form(parts[i], words[at + i])) ++i;
        if (i == parts.size()) is_found[index] = true;
      }
    }
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (is_found[i]) (names_[i].is_table ? hits.tables : hits.columns).push_back(names_[i].name);
  }
  return hits;
}

std::shared_ptr<const AllowlistMatcher> AllowlistMatchers::get(const Allowlist& allowlist) {
  CacheKey key;
  for (const auto& [table, columns] : allowlist) {
    key.add(table);
    key.add(static_cast<std::uint64_t>(columns.size()));
    for (const std::string& column : columns) key.add(column);
  }
  const std::string name = key.text();
  const std::lock_guard lock(mutex_);
  if (const auto known = kept_.find(name); known != kept_.end()) return known->second;
  if (kept_.size() >= kKeptMatchers) kept_.clear();  // rare: more lists than anyone should have
  return kept_[name] = std::make_shared<const AllowlistMatcher>(allowlist);
}

}  // namespace signalbox

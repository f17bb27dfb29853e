#include "probe/allowlist.h"

#include <set>
#include <string_view>

#include "normalize/fold.h"

namespace signalbox {
namespace {

// A plain plural is as good as its singular; English and Romance endings share the final s.
std::string stem(std::string_view word) {
  if (word.size() > 4 && word.ends_with("ies"))
    return std::string(word.substr(0, word.size() - 3)) + "y";
  if (word.size() > 4 && (word.ends_with("ses") || word.ends_with("xes") || word.ends_with("ches"))) {
    return std::string(word.substr(0, word.size() - 2));
  }
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss"))
    return std::string(word.substr(0, word.size() - 1));
  return std::string(word);
}

// snake_case, camelCase and spoken forms all become the same list of stems.
std::vector<std::string> parts_of(std::string_view name) {
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
  std::vector<std::string> parts;
  for (const Token& token : tokens)
    parts.push_back(stem(std::string_view(folded).substr(token.begin, token.end - token.begin)));
  return parts;
}

bool occurs(const std::vector<std::string>& parts, const std::vector<std::string>& words) {
  if (parts.empty() || parts.size() > words.size()) return false;
  for (std::size_t at = 0; at + parts.size() <= words.size(); ++at) {
    std::size_t i = 0;
    while (i < parts.size() && words[at + i] == parts[i]) ++i;
    if (i == parts.size()) return true;
  }
  return false;
}

}  // namespace

AllowlistHits find_allowlisted(const Allowlist& allowlist, const Text& text) {
  AllowlistHits hits;
  if (allowlist.empty()) return hits;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    for (std::string& part : parts_of(text.word(i))) words.push_back(std::move(part));
  }
  std::set<std::string> columns;
  for (const auto& [table, names] : allowlist) {
    if (occurs(parts_of(table), words)) hits.tables.push_back(table);
    for (const std::string& column : names) {
      if (occurs(parts_of(column), words)) columns.insert(column);
    }
  }
  hits.columns.assign(columns.begin(), columns.end());
  return hits;
}

}  // namespace signalbox

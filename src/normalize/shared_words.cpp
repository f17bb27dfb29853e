#include "normalize/shared_words.h"

#include <string>
#include <unordered_set>

#include "normalize/text.h"

namespace signalbox {
namespace {

std::unordered_set<std::string> words_of(std::string_view text) {
  std::unordered_set<std::string> out;
  const auto read = normalize(text);
  if (!read) return out;
  for (std::size_t i = 0; i < read->tokens.size(); ++i) {
    if (read->tokens[i].is_unspaced || read->tokens[i].is_number || read->word(i).size() > 2)
      out.emplace(read->word(i));
  }
  return out;
}

}  // namespace

bool shares_word(std::string_view a, std::string_view b) {
  const auto words = words_of(a);
  for (const std::string& word : words_of(b)) {
    if (words.contains(word)) return true;
  }
  return false;
}

}  // namespace signalbox

#include "model/tokenizer_added.h"

#include <algorithm>

#include "model/tokenizer_text.h"

namespace signalbox::tokenizer {

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const AddedToken& token) { return token.text.empty(); });
  std::stable_sort(tokens_.begin(), tokens_.end(), [](const AddedToken& a, const AddedToken& b) {
    return a.text.size() > b.text.size();
  });
}

const AddedToken* AddedTokens::longest_at(std::u32string_view text, std::size_t at) const {
  for (const AddedToken& token : tokens_) {
    if (text[at] == token.text.front() && text.substr(at, token.text.size()) == token.text)
      return &token;
  }
  return nullptr;
}

std::vector<AddedTokens::Part> AddedTokens::find(std::u32string_view text) const {
  std::vector<Part> parts;
  std::size_t rest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longest_at(text, at);
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t first = at;
    std::size_t last = at + token->text.size();
    at = last;
    const bool touches = (first > 0 && is_word_character(text[first - 1])) ||
                         (last < text.size() && is_word_character(text[last]));
    if (token->is_single_word && touches) continue;
    while (token->takes_left_space && first > rest && is_whitespace(text[first - 1])) --first;
    while (token->takes_right_space && last < text.size() && is_whitespace(text[last])) ++last;
    if (first > rest) parts.push_back({text.substr(rest, first - rest), kText});
    parts.push_back({text.substr(first, last - first), token->id});
    rest = last;
    at = last;
  }
  if (rest < text.size()) parts.push_back({text.substr(rest), kText});
  return parts;
}

}  // namespace signalbox::tokenizer

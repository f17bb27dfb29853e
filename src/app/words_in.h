// Words of a manifest in a message: whole words of spaced scripts, any place in Chinese.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace signalbox {

// Both folded. Where `word` stands in `text` as a whole word; npos when it does not.
std::size_t find_word(std::string_view text, std::string_view word);
bool holds_word(std::string_view text, const std::vector<std::string>& words);
// `text` without the word and with its blanks tidied.
std::string without_word(std::string_view text, std::string_view word);
std::string trimmed(std::string_view text);

// The pieces between separators ("," "and" "、"), trimmed, without empty ones.
std::vector<std::string> split_list(std::string_view text, const std::vector<std::string>& separators);

}  // namespace signalbox

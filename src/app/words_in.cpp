#include "app/words_in.h"

#include <algorithm>

#include "base/utf8.h"
#include "normalize/fold.h"
#include "normalize/tokens.h"

namespace signalbox {
namespace {

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return c >= 0xC0 && !is_unspaced_script(c) && !(c >= 0x2000 && c <= 0x206F) &&
         !(c >= 0x3000 && c <= 0x303F) && !(c >= 0xFF00 && c <= 0xFF20);
}

char32_t before(std::string_view text, std::size_t at) {
  if (at == 0) return ' ';
  std::size_t start = at - 1;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) --start;
  return decode_utf8(text, start).value;
}

char32_t after(std::string_view text, std::size_t at) {
  return at >= text.size() ? U' ' : decode_utf8(text, at).value;
}

bool stands_alone(std::string_view text, std::size_t at, std::string_view word) {
  const bool starts = !is_letter(decode_utf8(word, 0).value) || !is_letter(before(text, at));
  const bool ends = !is_letter(before(word, word.size())) || !is_letter(after(text, at + word.size()));
  return starts && ends;
}

}  // namespace

std::size_t find_word(std::string_view text, std::string_view word) {
  if (word.empty()) return std::string_view::npos;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if (stands_alone(text, at, word)) return at;
  }
  return std::string_view::npos;
}

bool holds_word(std::string_view text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return find_word(text, word) != std::string_view::npos;
  });
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n,.;:!?\"'";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

std::string without_word(std::string_view text, std::string_view word) {
  const std::size_t at = find_word(text, word);
  if (at == std::string_view::npos) return std::string(text);
  return trimmed(std::string(text.substr(0, at)) + std::string(text.substr(at + word.size())));
}

std::vector<std::string> split_list(std::string_view text, const std::vector<std::string>& separators) {
  std::vector<std::string> pieces = {std::string(text)};
  for (const std::string& separator : separators) {
    std::vector<std::string> next;
    for (const std::string& piece : pieces) {
      std::string_view rest = piece;
      while (true) {
        const std::size_t at = find_word(rest, separator);
        if (at == std::string_view::npos) break;
        next.push_back(trimmed(rest.substr(0, at)));
        rest.remove_prefix(at + separator.size());
      }
      next.push_back(trimmed(rest));
    }
    pieces = std::move(next);
  }
  std::erase_if(pieces, [](const std::string& piece) { return piece.empty(); });
  return pieces;
}

}  // namespace signalbox

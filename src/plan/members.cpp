#include "plan/members.h"

#include <algorithm>

#include "base/utf8.h"
#include "plan/keywords.h"

namespace signalbox::planning {
namespace {

constexpr std::size_t kLongestMember = 10;          // words
constexpr std::size_t kLongestUnspacedMember = 24;  // characters

bool is_too_long(const Reading& reading, Range part) {
  if (part.size() <= kLongestMember) return false;
  std::size_t unspaced = 0;
  for (std::size_t word = part.begin; word < part.end; ++word)
    unspaced += reading.is_unspaced(word) ? 1 : 0;
  return part.size() - unspaced > kLongestMember || part.size() > kLongestUnspacedMember;
}

bool ends_unspaced(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[at - 1]) & 0xC0) == 0x80) --at;
  return at > 0 && is_unspaced_script(decode_utf8(text, at - 1).value);
}

}  // namespace

std::string glue(std::string_view left, std::string_view right) {
  if (left.empty() || right.empty()) return std::string(left.empty() ? right : left);
  const bool is_unspaced = ends_unspaced(left) || is_unspaced_script(decode_utf8(right, 0).value);
  std::string out(left);
  if (!is_unspaced) out += ' ';
  out += right;
  return out;
}

bool has_keywords(std::string_view text, const Lexicon& lexicon) {
  return !extract_keywords(text, lexicon).empty();
}

std::size_t skip_opening(const Reading& reading, Range clause) {
  std::size_t word = clause.begin;
  while (word < clause.end && reading.at(List::Determiner, word).size() == 0) {
    std::size_t next = word;
    for (const List list :
         {List::Filler, List::Question, List::Command, List::Also, List::Define, List::Listing}) {
      next = std::max(next, reading.at(list, word).end);
    }
    // A single character of an unspaced script may begin a longer word: 向 in 向量.
    const bool is_stop = !reading.is_unspaced(word) &&
                         reading.lexicon().is_stop_word(reading.slice({word, word + 1})) &&
                         !has_keywords(reading.slice({word, word + 1}), reading.lexicon());
    if (next == word && !is_stop) break;
    word = std::max(next, word + 1);
  }
  return word;
}

Members split_members(const Reading& reading, Range body, bool commas_suffice) {
  Members out;
  std::vector<Range> separators = reading.every(List::Join, body);
  std::erase_if(separators,
                [&](Range join) { return join.begin == body.begin || join.end == body.end; });
  std::size_t last_join = separators.empty() ? body.begin : separators.back().begin;
  if (!separators.empty()) out.joiner = reading.slice(separators.back());
  out.end = body.end;
  std::size_t commas = 0;
  for (std::size_t word = body.begin + 1; word < body.end; ++word) {
    if (reading.break_before(word) != Break::Comma) continue;
    const bool is_list = commas_suffice && separators.empty() && out.joiner.empty();
    if (word > last_join && !is_list) {
      out.end = word;
      break;
    }
    ++commas;
  }
  if (commas > 0) {
    for (std::size_t word = body.begin + 1; word < out.end; ++word) {
      if (reading.break_before(word) == Break::Comma) separators.push_back({word, word});
    }
  }
  std::sort(separators.begin(), separators.end(), [](Range a, Range b) { return a.begin < b.begin; });
  std::size_t begin = body.begin;
  for (const Range separator : separators) {
    if (separator.begin > begin) out.parts.push_back({begin, separator.begin});
    begin = std::max(begin, separator.end);
  }
  if (begin < out.end) out.parts.push_back({begin, out.end});
  return out;
}

std::optional<std::vector<std::string>> write_out(const Reading& reading, std::vector<Range> parts,
                                                  Shared shared) {
  if (parts.size() < 2) return std::nullopt;
  // "the cost of A and B": what ends in "of" holds for the others too, unless they have their own.
  const Range first = parts.front();
  const Range of = reading.first(List::Of, {first.begin + 1, first.end});
  const bool others_have_of = std::any_of(parts.begin() + 1, parts.end(), [&](Range part) {
    return reading.first(List::Of, part).size() > 0;
  });
  const bool shares_head = of.size() > 0 && of.end < first.end && !others_have_of;
  const std::string_view head = shares_head ? reading.slice({first.begin, of.end}) : std::string_view{};

  std::vector<std::string> out;
  for (const Range part : parts) {
    if (is_too_long(reading, part) || !has_keywords(reading.slice(part), reading.lexicon()))
      return std::nullopt;
    const std::string named =
        part == first ? std::string(reading.slice(part)) : glue(head, reading.slice(part));
    std::string text = glue(glue(shared.head, named), shared.tail);
    if (std::find(out.begin(), out.end(), text) != out.end()) return std::nullopt;
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace signalbox::planning

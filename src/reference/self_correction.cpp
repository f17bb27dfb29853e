#include "reference/self_correction.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace signalbox::reference {
namespace {

constexpr std::size_t kMaxRepairs = 4;
constexpr std::size_t kMaxReplaced = 4;  // words of content that a repair takes back at most

bool is_role(const Utterance& message, std::size_t word, Role role) {
  return message.at(role, word).size() > 0;
}

// "no" and "sorry" alone correct only where two ways to say it meet.
bool weak_repairs(const Utterance& message, std::size_t word) {
  if (word == 0 || word + 1 >= message.size()) return false;
  if (!message.has(Role::RepairContext)) return false;
  const bool restarts = is_role(message, word + 1, Role::Question);
  if (message.covering(Role::RepairNear, word).size() > 0)
    return restarts && message.folded(word) == "no";
  const bool paused =
      message[word].pause_before == Pause::Comma || message[word + 1].pause_before == Pause::Comma;
  const bool between = message[word - 1].is_content &&
                       (message[word + 1].is_content || is_role(message, word + 1, Role::Determiner));
  const bool is_no = message.folded(word) == "no" || message.folded(word) == "sorry";
  return is_no ? restarts || between || paused : restarts || (paused && message[word + 1].is_content);
}

// The first marker that has words on both sides in one sentence; markers in a row are one.
Span find_marker(const Utterance& message) {
  for (std::size_t word = 1; word + 1 < message.size(); ++word) {
    if (message[word].pause_before == Pause::Sentence) return {};
    Span marker = message.at(Role::Repair, word);
    if (marker.size() == 0 && is_role(message, word, Role::RepairWeak) && weak_repairs(message, word))
      marker = {word, word + 1};
    if (marker.size() == 0) continue;
    while (marker.end < message.size()) {
      const std::size_t end = std::max(message.at(Role::Repair, marker.end).end,
                                       message.at(Role::RepairWeak, marker.end).end);
      if (end <= marker.end) break;
      marker.end = end;
    }
    if (marker.end < message.size()) return marker;
    return {};
  }
  return {};
}

std::size_t names_back(const Utterance& message, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && (message[begin - 1].is_name || message[begin - 1].is_capital) && begin - 1 > 0)
    --begin;
  return begin;
}

// Where what was taken back begins.
std::size_t taken_back_from(const Utterance& message, Span marker) {
  const std::size_t after = marker.end;
  if (is_role(message, after, Role::Question) || is_role(message, after, Role::Command)) {
    for (std::size_t word = 0; word < marker.begin; ++word) {
      if (is_role(message, word, Role::Question) || is_role(message, word, Role::Command)) return word;
    }
    return 0;
  }
  for (std::size_t word = marker.begin; word-- > 0;) {
    if (!message[word].is_content && message.folded(word) == message.folded(after)) return word;
  }
  for (const Role role : {Role::Auxiliary, Role::Preposition, Role::Determiner, Role::Indefinite}) {
    if (!is_role(message, after, role)) continue;
    for (std::size_t word = marker.begin; word-- > 0;) {
      if (is_role(message, word, role)) return word;
    }
  }
  if (message[after].is_name) {
    if (const std::size_t begin = names_back(message, marker.begin); begin < marker.begin) return begin;
  }
  std::size_t fresh = after;
  while (fresh < message.size() && fresh < after + kMaxReplaced && message[fresh].is_content) ++fresh;
  std::size_t begin = marker.begin;
  while (begin > 0 && marker.begin - begin < fresh - after && message[begin - 1].is_content) --begin;
  return begin < marker.begin ? begin : marker.begin - 1;
}

void capitalise(std::string& text) {
  if (text.empty()) return;
  const CodePoint first = decode_utf8(text, 0);
  std::string upper;
  append_utf8(upper, static_cast<char32_t>(u_toupper(static_cast<UChar32>(first.value))));
  text.replace(0, first.bytes, upper);
}

}  // namespace

std::optional<std::string> without_repairs(const Utterance& message, const ReferenceWords& words) {
  if (!message.has(Role::Repair) && !message.has(Role::RepairWeak)) return std::nullopt;
  if (message.at(Role::Correction, 0).size() > 0) return std::nullopt;  // of an earlier message
  std::string text = message.text();
  bool changed = false;
  for (std::size_t i = 0; i < kMaxRepairs; ++i) {
    const Utterance now(text, words);
    const Span marker = find_marker(now);
    if (marker.size() == 0) break;
    const std::size_t from = taken_back_from(now, marker);
    std::string cleaned = text.substr(0, now[from].begin);
    while (cleaned.ends_with(' ') || cleaned.ends_with(',')) cleaned.pop_back();
    if (!cleaned.empty()) cleaned += ' ';
    cleaned += text.substr(now[marker.end].begin);
    if (from == 0 && now[0].is_capital) capitalise(cleaned);
    text = std::move(cleaned);
    changed = true;
  }
  if (!changed) return std::nullopt;
  return text;
}

}  // namespace signalbox::reference

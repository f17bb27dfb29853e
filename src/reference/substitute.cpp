#include "reference/substitute.h"

#include <algorithm>

#include "reference/cues.h"

namespace signalbox::reference {
namespace {

// A phrase that begins with a preposition, up to the next one, a clause or a pause.
Span phrase_at(const Utterance& message, std::size_t begin) {
  std::size_t end = message.at(Role::Preposition, begin).end;
  if (message.is_unspaced()) {  // one word: nothing else says where it ends
    for (const Span term : message.terms()) {
      if (term.begin >= end) return {begin, term.end};
    }
  }
  while (end < message.size() && message[end].pause_before == Pause::None &&
         message.at(Role::Preposition, end).size() == 0 && message.at(Role::Clause, end).size() == 0 &&
         message.at(Role::Auxiliary, end).size() == 0 && message.at(Role::Joining, end).size() == 0)
    ++end;
  return {begin, end};
}

Span last_phrase_with(const Utterance& message, std::string_view preposition) {
  Span found;
  for (std::size_t word = 0; word + 1 < message.size(); ++word) {
    if (message.at(Role::Preposition, word).size() > 0 && message.folded(word) == preposition)
      found = phrase_at(message, word);
  }
  return found.size() > 1 ? found : Span{};
}

Span only_number(const Utterance& message, Span within) {
  Span found;
  for (std::size_t word = within.begin; word < within.end; ++word) {
    if (!message[word].is_number) continue;
    if (found.size() > 0) return {};
    found = {word, word + 1};
  }
  return found;
}

Span last_names(const Utterance& message, Span within) {
  // April is written like a name, and is a time.
  const auto is_name = [&](std::size_t word) {
    return message[word].is_name && message.covering(Role::Time, word).size() == 0;
  };
  for (std::size_t end = within.end; end > within.begin; --end) {
    if (!is_name(end - 1) || !message[end - 1].is_content) continue;
    std::size_t begin = end - 1;
    while (begin > within.begin && is_name(begin - 1)) --begin;
    return {begin, end};
  }
  return {};
}

Span first_time(const Utterance& message, Span within) {
  Span found = message.first(Role::Time, within.begin);
  while (found.size() > 1 && message.at(Role::Preposition, found.begin).size() > 0) ++found.begin;
  return found.size() > 0 && found.end <= within.end ? found : Span{};
}

// 北京的天气怎么样: what stands before the first 的, the topic of a question without capitals.
Span topic_of(const Utterance& question) {
  if (!question.is_unspaced() || question.terms().empty()) return {};
  const std::size_t begin = question.terms().front().begin;
  for (std::size_t word = begin + 1; word < question.size(); ++word) {
    if (question.folded(word) == "的") return {begin, word};
  }
  return {};
}

std::string replaced(const Utterance& question, Span place, std::string_view by) {
  const std::string& text = question.text();
  return text.substr(0, question[place.begin].begin) + std::string(by) +
         text.substr(question[place.end - 1].end);
}

// "… in April" and "for Texas" are about different things: the one does not take the other's place.
std::optional<std::string> extended(const Utterance& question, const Utterance& message, Span phrase) {
  if (question.is_unspaced() || question.sentences().size() != 1) return std::nullopt;
  for (std::size_t word = 0; word < phrase.begin; ++word) {
    if (message[word].is_content) return std::nullopt;  // "sort by name" says more than "by name"
  }
  const std::size_t end = question[question.size() - 1].end;
  return question.text().substr(0, end) + " " + std::string(message.slice(phrase)) +
         question.text().substr(end);
}

}  // namespace

Span fragment_of(const Utterance& message) {
  std::size_t begin = start_of(message);
  for (bool moved = true; moved && begin < message.size();) {
    moved = false;
    for (const Role role : {Role::Correction, Role::Joining, Role::Answer, Role::Filler}) {
      const std::size_t end = message.at(role, begin).end;
      if (end > begin && end < message.size()) begin = end, moved = true;
    }
    // An opener goes but for the preposition or noun it ends with: "and for Texas" is about "for
    // Texas".
    const Span opener = message.at(Role::Opener, begin);
    if (opener.size() > 0 && opener.end < message.size()) {
      begin = message.at(Role::Preposition, opener.end - 1).size() > 0 && opener.size() > 1 &&
                      message.folded(opener.end - 1) != "about"
                  ? opener.end - 1
                  : opener.end;
      moved = message.at(Role::Preposition, begin).size() == 0;
    }
  }
  std::size_t end = message.size();
  const Span trailing = message.ending(Role::Trailing, end);
  if (trailing.size() > 0 && trailing.begin > begin) end = trailing.begin;
  return {begin, end};
}

std::optional<std::string> substitute(const Utterance& question, const Utterance& message,
                                      Span fragment) {
  if (fragment.size() == 0 || question.size() == 0) return std::nullopt;
  const Span all{0, question.size()};
  const Span whole = fragment;
  const bool is_phrase = message.at(Role::Preposition, fragment.begin).size() > 0;
  const std::string_view words = message.slice(fragment);
  if (const Span time = first_time(message, fragment); time.size() > 0) {
    if (const Span old = first_time(question, all); old.size() > 0)
      return replaced(question, old, message.slice(time));
  }
  if (is_phrase) {
    const Span old = last_phrase_with(question, message.folded(fragment.begin));
    if (old.size() > 0) return replaced(question, old, words);
    fragment.begin = std::min(fragment.end, message.at(Role::Preposition, fragment.begin).end);
    if (fragment.size() == 0) return std::nullopt;
  }
  if (const Span names = last_names(message, fragment); names == fragment) {
    if (const Span old = last_names(question, all); old.size() > 0)
      return replaced(question, old, message.slice(names));
  }
  const Span number = only_number(message, fragment);
  if (number == fragment) {
    if (const Span old = only_number(question, all); old.size() > 0)
      return replaced(question, old, message.slice(number));
  }
  if (const Span topic = topic_of(question); topic.size() > 0 && message.is_unspaced())
    return replaced(question, topic, message.slice(fragment));
  return is_phrase ? extended(question, message, whole) : std::nullopt;
}

}  // namespace signalbox::reference

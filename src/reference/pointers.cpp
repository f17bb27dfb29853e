// Pronouns and deictics: which of them stand for something said before.

#include "reference/cues.h"

namespace signalbox::reference {
namespace {

bool is_exempt(const Utterance& message, Span span) {
  for (std::size_t word = span.begin; word < span.end; ++word) {
    if (message.covering(Role::Exempt, word).size() > 0) return true;
  }
  return false;
}

bool is_function_word(const Utterance& message, std::size_t word) {
  return message.at(Role::Preposition, word).size() > 0 ||
         message.at(Role::Auxiliary, word).size() > 0 || message.at(Role::Joining, word).size() > 0 ||
         message.at(Role::Question, word).size() > 0;
}

// Words of content from `begin` on, as far as one noun may reach.
std::size_t noun_end(const Utterance& message, std::size_t begin) {
  std::size_t end = begin;
  while (end < message.size() && end < begin + 3 && message[end].is_content &&
         (end == begin || message[end].pause_before == Pause::None) && !is_function_word(message, end))
    ++end;
  return end;
}

// A demonstrative alone, or with its noun: "this", "those two files".
Pointer demonstrative(const Utterance& message, Span span) {
  if (span.end >= message.size() || message.ends_sentence(span.end - 1))
    return {Pointer::Kind::Deictic, span, false, false};
  const std::size_t end = noun_end(message, span.end);
  if (end == span.end) return {Pointer::Kind::Deictic, span, false, false};
  // "does this work for …": a verb, not a noun.
  const bool asks = span.begin > 0 && message.ending(Role::Auxiliary, span.begin).size() > 0;
  if (asks && (end >= message.size() || message.at(Role::Preposition, end).size() > 0) &&
      end == span.end + 1)
    return {Pointer::Kind::Deictic, span, false, false};
  return {Pointer::Kind::DeicticNoun, {span.begin, span.end + 1}, false, false};
}

// "that" joins clauses as often as it points. It points at the end of a sentence, at the beginning of
// one, and after a preposition or a verb that asks for an object.
bool that_points(const Utterance& message, std::size_t word) {
  const bool begins = word == 0 || message[word].pause_before != Pause::None;
  if (message.ends_sentence(word)) return true;
  const bool follows_function = !begins && is_function_word(message, word - 1);
  const bool follows_command = !begins && message.ending(Role::Command, word).size() > 0;
  const std::size_t next = word + 1;
  if (!message[next].is_content)
    return (begins || follows_function) && is_function_word(message, next) &&
           message.at(Role::Question, next).size() == 0;
  if (begins || follows_function || follows_command) return true;
  return message.ends_sentence(next);
}

// "a preference on it", "um exemplo disso": the noun just before is not what the pronoun stands for.
bool runs_into(const Utterance& message, std::size_t noun, Span pointer) {
  const bool tied = pointer.begin > 0 && message.ending(Role::Preposition, pointer.begin).size() > 0;
  for (std::size_t word = noun; word + (tied ? 1 : 0) < pointer.begin; ++word) {
    if (!message[word].is_content) return false;
  }
  return true;
}

// Whether what stands before it in the message may be what it stands for: a name, "a noun", the noun of
// an earlier clause, and for a possessive the subject.
bool is_explained(const Utterance& message, Span pointer) {
  std::size_t content = 0;
  bool clause_ended = false;
  for (std::size_t word = 0; word < pointer.begin; ++word) {
    const bool parts = message[word].pause_before != Pause::None ||
                       message.at(Role::Clause, word).size() > 0 ||
                       message.at(Role::Joining, word).size() > 0;
    clause_ended = clause_ended || (parts && content > 0);
    if (!message[word].is_content) continue;
    ++content;
    if (message[word].is_name) return true;
    if (word > 0 && message.ending(Role::Indefinite, word).size() > 0 &&
        !runs_into(message, word, pointer))
      return true;
  }
  if (content >= 2 && message.covering(Role::Possessive, pointer.begin).size() > 0) return true;
  const bool is_complement =
      pointer.begin > 0 && message.ending(Role::Preposition, pointer.begin).size() > 0;
  return clause_ended && !is_complement;
}

}  // namespace

std::vector<Pointer> find_pointers(const Utterance& message) {
  std::vector<Pointer> found;
  for (std::size_t word = 0; word < message.size();) {
    Pointer pointer;
    if (const Span span = message.at(Role::Deictic, word); span.size() > 0)
      pointer = {Pointer::Kind::Deictic, span, false, false};
    else if (const Span span2 = message.at(Role::Demonstrative, word); span2.size() > 0)
      pointer = demonstrative(message, span2);
    else if (const Span span3 = message.at(Role::Pronoun, word); span3.size() > 0)
      pointer = {Pointer::Kind::Pronoun, span3, false, false};
    else if (message.at(Role::That, word).size() > 0 && that_points(message, word))
      pointer = demonstrative(message, {word, word + 1});
    else if (message.at(Role::Final, word).size() > 0 && message.ends_sentence(word) && word > 0)
      pointer = {Pointer::Kind::Deictic, {word, word + 1}, false, false};
    if (pointer.span.size() == 0 || is_exempt(message, pointer.span)) {
      ++word;
      continue;
    }
    pointer.is_explained = is_explained(message, pointer.span);
    pointer.is_at_hand = pointer.kind == Pointer::Kind::DeicticNoun &&
                         message.at(Role::Near, pointer.span.begin).size() > 0;
    found.push_back(pointer);
    word = pointer.span.end;
  }
  return found;
}

}  // namespace signalbox::reference

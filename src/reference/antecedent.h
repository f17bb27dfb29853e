// What a pronoun or a gap in a message may stand for: nouns and questions of the earlier messages.
//
// Light cues only: capitals, quotes, symbols, the words before a verb, what stands behind "of". Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reference/cues.h"

namespace signalbox::reference {

// One earlier message as the step read it.
struct EarlierMessage {
  std::size_t index = 0;  // in the request's history
  bool is_user = false;
  std::shared_ptr<const Utterance> said;

  const Utterance& words() const { return *said; }
};

struct Candidate {
  std::string text;
  double score = 0;
  std::size_t index = 0;  // of the message it was taken from
};

// The things the messages speak of, best first; equal texts are one. `messages` is oldest first.
std::vector<Candidate> find_candidates(const std::vector<EarlierMessage>& messages);

// A message without courtesy before it, at most 24 words.
std::string core_of(const Utterance& message);

// … and without the words that only ask: "show me the sales by region" → "sales by region".
std::string noun_of(const Utterance& message);

// The last question the assistant asked, without the words that only ask; empty when it
// asked nothing.
std::string asked_for(const Utterance& assistant);

// The question the assistant's message ends with, whole: what a "yes" agrees to.
std::string question_of(const Utterance& assistant);

// What the assistant's message says first that is no question: it names what the talk is about now.
std::string statement_of(const Utterance& assistant);

}  // namespace signalbox::reference

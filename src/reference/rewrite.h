// Builds the resolved query: the message with what it leaves open put in from earlier messages.
//
// Pure. Where the place is sure the words go there ("its address" → "Golden Wok's address"); where it
// is not they follow in brackets, so that what is needed is there and the message stays readable.
#pragma once

#include <string>
#include <vector>

#include "reference/antecedent.h"

namespace signalbox::reference {

struct Conversation {
  const std::vector<EarlierMessage>& messages;  // those to draw on, oldest first
  const std::vector<std::string>& items;        // of the last list shown
  const EarlierMessage* question = nullptr;     // the earlier turn the message leans on
  const EarlierMessage* before = nullptr;       // … and the one that one leans on
  const EarlierMessage* asked = nullptr;        // the assistant's last message
};

struct Rewrite {
  std::string text;       // empty: nothing to put in was found
  double confidence = 0;  // that the needed words are in it and in their place
  std::vector<std::size_t> used;
};

// "file 1", "the second one", 第二个: the item in place of the words that point to it.
Rewrite with_item(const Utterance& message, const Conversation& talk);

// Pronouns and deictics: what they stand for.
Rewrite with_antecedent(const Utterance& message, const std::vector<Pointer>& pointers,
                        const Cues& cues, const Conversation& talk);

// "delete that": the thing an app holds in place of the pointer.
Rewrite with_held_item(const Utterance& message, const std::vector<Pointer>& pointers,
                       const std::string& item);

// Ellipsis and corrections: the earlier question with the fragment in it.
Rewrite with_question(const Utterance& message, const Cues& cues, const Conversation& talk);

}  // namespace signalbox::reference

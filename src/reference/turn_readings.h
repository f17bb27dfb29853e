// A conversation's messages as utterances: each is read once, however many turns look at it.
//
// Bounded: the newest few hundred stay. Thread-safe. A message that is known costs a look-up.
#pragma once

#include <memory>
#include <string_view>

#include "reference/recent.h"
#include "reference/utterance.h"

namespace signalbox::reference {

class TurnReadings {
 public:
  explicit TurnReadings(std::shared_ptr<const ReferenceWords> words) : words_(std::move(words)) {}

  // Of a long message both ends: what it is about, and what it asks.
  std::shared_ptr<const Utterance> of(std::string_view text);

 private:
  std::shared_ptr<const ReferenceWords> words_;
  Recent<std::shared_ptr<const Utterance>> known_{512};
};

}  // namespace signalbox::reference

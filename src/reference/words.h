// The words by which a message leans on an earlier one, compiled once: profile lists named `ref_…`.
//
// Which words those are belongs to a language, so it is data (profiles/common/references.yaml); what is
// made of them stands in cues.cpp and rewrite.cpp. Immutable after open(), thread-safe.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fastpath/phrase_matcher.h"

namespace signalbox::reference {

// In the order of role_names(); references.yaml says what each is for.
enum class Role : std::uint8_t {
  Pronoun,
  Deictic,
  Demonstrative,
  That,
  Exempt,
  Opener,
  Joining,
  Trailing,
  Preposition,
  Clause,
  Question,
  Auxiliary,
  Command,
  Determiner,
  Indefinite,
  More,
  One,
  Item,
  Place1,  // … Place10 follow one another
  Place2,
  Place3,
  Place4,
  Place5,
  Place6,
  Place7,
  Place8,
  Place9,
  Place10,
  PlaceLast,
  Correction,
  Repair,
  RepairWeak,
  RepairNear,
  Back,
  Closing,
  Answer,
  Filler,
  Time,
  Attribute,
  Owner,
  Modify,
  Possessive,
  Replaceable,
  ReplaceableOf,
  PossessiveS,  // before a noun: its place is taken by "X's"
  Shift,
  RepairContext,
  Final,
  OneFinal,
  Near,
  Belong,
  Offer,
  Tie,
  Stop,
  Count,
};

// "pronoun" for the list `ref_pronoun`.
std::span<const std::string_view> role_names();

class ReferenceWords {
 public:
  using Lists = std::map<std::string, std::vector<std::string>>;

  // Takes the lists `ref_…` of a profile; those left out are empty. The same lists are compiled once a
  // process. InvalidInput names the list of a phrase that does not parse.
  static Result<std::shared_ptr<const ReferenceWords>> open(const Lists& words);

  const PhraseMatcher& phrases() const { return matcher_; }  // list i is Role i; Stop is not in it
  bool is_stop_word(std::string_view folded) const { return stop_.contains(std::string(folded)); }
  bool is_empty() const { return is_empty_; }

 private:
  PhraseMatcher matcher_;
  std::unordered_set<std::string> stop_;
  bool is_empty_ = true;
};

}  // namespace signalbox::reference

// What in a message speaks for or against its leaning on earlier ones.
//
// Each cue is a yes or no; a profile's file of weights makes them a probability (logistic). Cues of the
// message alone come first; those that need the earlier messages are read only while they could still
// change the verdict. Pure; linear in the message.
#pragma once

#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/utterance.h"
#include "signalbox/result.h"

namespace signalbox::reference {

// In the order of cue_names().
enum class Cue : std::uint8_t {
  Free,               // a pronoun or deictic that nothing inside the message explains
  Explained,          // … or that something may explain
  Deictic,            // "that", "eso", 那个, standing alone
  DeicticNoun,        // "that function"
  Opener,             // "what about", "¿y en"
  Joining,            // begins with a joining word and is short
  Trailing,           // ends with 呢, "instead"
  Fragment,           // no question word, no verb we know, at most eight words
  FragmentShort,      // … at most three
  BeginsPreposition,  // a fragment that begins with a preposition or conjunction
  BareDefinite,       // "the address" with nothing that says whose
  BareAttribute,      // … and that is somebody's or something's
  Owned,              // says whose: "my"
  Modify,             // "sort by date"
  BareQuestion,       // a question without content: "why?"
  OpenQuestion,       // … or with one word of it
  More,               // "else", "another", "same"
  One,                // "the cheap one"
  Place,              // "the second one", "file 1"
  Correction,
  Back,         // "going back to"
  Closing,      // thanks, farewells
  ClosingOnly,  // … and nothing else
  Answer,       // "I don't care", "any"
  AnswerOnly,   // … and nothing else
  Content0,
  Content1,
  Content2,
  Content3,
  Content5,  // four or five
  Content6,  // six or more
  HasName,
  HasNumber,
  HasIndefinite,
  BeginsQuestion,
  BeginsCommand,
  FirstPerson,  // is no question and begins with neither
  Unspaced,
  // Of the earlier messages:
  Asked,        // the assistant asked something
  AskedShort,   // … and the message has at most two words of content
  AskedAnswer,  // … and the message answers
  Parallel,     // begins with the same two words as the earlier question
  RepeatsNone,
  RepeatsMost,
  RepeatsName,    // a name or two words in a row stood there before
  DefiniteKnown,  // the bare noun stood there before
  Count,
};

inline constexpr std::size_t kCues = static_cast<std::size_t>(Cue::Count);
inline constexpr std::size_t kFirstHistoryCue = static_cast<std::size_t>(Cue::Asked);
using Cues = std::bitset<kCues>;

std::span<const std::string_view> cue_names();

// Log-odds that a cue, or two of them together, add. Immutable after parse(), thread-safe.
class CueWeights {
 public:
  // Lines `cue⇥weight`, `cue+cue⇥weight`, `bias⇥weight`, `#` comments. InvalidInput names the line.
  static Result<CueWeights> parse(std::string_view tsv);

  double odds(const Cues& cues) const;
  // What the cues of the history can add at most to a message with these cues.
  double most_from_history(const Cues& of_message) const;

 private:
  struct Weight {
    std::size_t first = 0;
    std::size_t second = 0;  // the same as `first` for a cue alone
    double weight = 0;
  };
  double bias_ = 0;
  std::vector<Weight> weights_;
};

double probability(double odds);

// Where a word refers, for the rewrite.
struct Pointer {
  enum class Kind : std::uint8_t { Pronoun, Deictic, DeicticNoun };
  Kind kind = Kind::Pronoun;
  Span span;                  // the words to replace; a deictic noun with its noun
  bool is_explained = false;  // by what stands before it in the message
  bool is_at_hand = false;    // "this song": may be meant as it lies there
};

// The pronouns and deictics of the message that stand for something, left to right.
std::vector<Pointer> find_pointers(const Utterance& message);

// The first word after courtesy and answers.
std::size_t start_of(const Utterance& message);

// The cues of the message alone.
Cues message_cues(const Utterance& message, std::span<const Pointer> pointers);

// "file 2", wherever it stands; not "step 2 of the protocol", whose list is another one.
bool names_item(const Utterance& message);

// A definite noun at the end of a sentence with nothing that says whose; empty when there is none.
Span bare_definite(const Utterance& message);

// Adds the cues of the last turns: what the user said and what was answered. Either may be null.
void add_history_cues(const Utterance& message, std::span<const Pointer> pointers,
                      const Utterance* user, const Utterance* assistant,
                      std::span<const Utterance* const> earlier, Cues& cues);

}  // namespace signalbox::reference

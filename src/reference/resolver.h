// Step 5: sees whether a message leans on earlier ones, and says what it means by itself.
//
// The same request always gives the same answer; a message that leans on nothing is left byte for byte.
// Immutable after create(), thread-safe. A message in which nothing refers costs some 20 µs, whatever
// the length of the history; one that refers reads the last messages, each once in a conversation (some
// 30 µs), and a weak one that shares no words with them asks an encoder.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/encoder.h"
#include "reference/cues.h"
#include "reference/turn_readings.h"
#include "reference/turn_vectors.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

namespace reference {
struct Conversation;
struct EarlierMessage;
}  // namespace reference

enum class ReferenceKind {
  None,
  Pronoun,
  Deictic,
  Ellipsis,
  Ordinal,
  Correction,
  Opener,
  SelfCorrection
};
const char* reference_kind_name(ReferenceKind kind);

struct Resolution {
  bool refers = false;           // leans on an earlier message
  bool is_resolved = false;      // and what it leans on was found
  bool corrects_itself = false;  // what it took back is gone from the resolved query
  bool is_dangling = false;      // something refers, and nothing came before
  bool topic_shift = false;      // something new: earlier turns are not used
  std::string resolved_query;    // the message itself when nothing refers
  ReferenceKind kind = ReferenceKind::None;
  double confidence = 0;          // that it refers
  double rewrite_confidence = 0;  // that the resolved query says what was meant
  std::vector<std::size_t> used;  // messages of the history it draws on, ascending
  std::string note;               // for the trace
};

class ReferenceResolver {
 public:
  // InvalidInput: a phrase or a line of the cues' file that does not parse. `encoder` may be null: then
  // relevance counts words.
  static Result<ReferenceResolver> create(const Profile& profile,
                                          std::shared_ptr<const Encoder> encoder);

  Resolution resolve(const Request& request) const;

 private:
  struct Reading;
  void decide_shift(const Request& request, Reading& reading, Resolution& out) const;
  void rewrite(const Request& request, Reading& reading, Resolution& out) const;
  // Reads the last `most` messages; those read already are kept.
  void read_history(const Request& request, std::size_t most, Reading& reading) const;
  bool stands_alone(const reference::Utterance& message) const;
  std::optional<reference::EarlierMessage> whole_question(const reference::Conversation& talk) const;

  References settings_;
  std::shared_ptr<const reference::ReferenceWords> words_;
  reference::CueWeights weights_;
  std::shared_ptr<reference::TurnReadings> readings_;
  std::shared_ptr<reference::TurnVectors> vectors_;  // empty: relevance counts words
};

}  // namespace signalbox

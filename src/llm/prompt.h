// The messages a model is asked with: a profile's prompt file with its blanks filled.
//
// What is the same for every message (role, routes, rules, few-shots) is the system message, filled
// once, so that a server's prompt cache serves it; what changes follows in the user message. The same
// request always builds the same bytes. What comes from the caller is quoted as data and cut to a
// bound. Thread-safe: immutable after the constructor. Costs a few microseconds a message.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llm/llm_client.h"
#include "signalbox/decision.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

// Of a longer message the model sees the first so many characters.
inline constexpr std::size_t kMaxPromptQuery = 8000;

struct PromptInputs {
  const Request& request;
  std::string_view query;             // what the words refer to is resolved
  std::size_t history = 0;            // entries of the intent history
  std::span<const Message> messages;  // earlier messages that matter
  std::string_view evidence;
  std::string_view candidates;  // for the scorer
};

class PromptTemplate {
 public:
  // Without the line that parts them, the whole file is the user message.
  PromptTemplate(const Profile& profile, std::string_view file,
                 std::span<const RouteExample> few_shots);

  std::vector<LlmMessage> build(const PromptInputs& inputs) const;

 private:
  struct Piece {
    std::string text;
    std::string blank;  // follows the text; empty: none
  };
  std::string filled(const PromptInputs& inputs, const std::string& blank) const;

  std::string system_;
  std::vector<Piece> user_;
  std::size_t topic_ = 60;
  std::size_t messages_ = 0;
};

// How many entries of the intent history the prompt may hold for this request. None when the message
// refers to nothing (RC-03: what a model does not see cannot sway it), unless the profile says always.
std::size_t visible_history(const Profile& profile, const Request& request, bool refers);

// `[TYPE] "topic"` a line, the last `entries` of them; "(no prior turns)" when there is none.
std::string history_block(const Request& request, std::size_t entries, std::size_t topic_characters);

// The signals found so far and the numbers the request brought, one a line.
std::string evidence_block(const Decision& decision, const Request& request);

}  // namespace signalbox

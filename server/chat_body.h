// The body of POST /v1/chat/completions: what routing needs of it, and the bytes to pass on.
//
// Whatever we do not use is passed on byte for byte, in its order. A member that stands twice is
// refused: the router and the model must not read different messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "signalbox/request.h"
#include "signalbox/result.h"

namespace signalbox {

// Where a top-level member stands in the text.
struct JsonMember {
  std::string_view name;  // between the quotes, as it stands
  std::size_t begin = 0;  // of the opening quote
  std::size_t value = 0;  // of the value
  std::size_t end = 0;    // behind the value
};

// The members of a valid JSON object, in order.
std::vector<JsonMember> top_members(std::string_view object);

struct ChatBody {
  std::string text;
  std::vector<JsonMember> members;  // views and places in `text`
  std::string model;                // "auto", a profile's name, or empty
  bool is_stream = false;
  bool wants_decision = false;  // signalbox.decision: the decision as a last chunk, or in the answer
  bool wants_decision_first = false;  // signalbox.decision_first: as the first chunk instead
  std::size_t leading = 0;            // system messages at the start: they are the model's, no history
  Request request;                    // query, history, attachments, session, metadata

  ChatBody() = default;
  ChatBody(const ChatBody&) = delete;
  ChatBody& operator=(const ChatBody&) = delete;
};

// Fills `out`. InvalidInput names the field.
Result<void> read_chat_body(std::string_view text, ChatBody& out);

// The body for the model behind the route: its name, our own member taken out, `system`, where not
// empty, as the first message, and earlier messages of the session before the caller's first one that
// is no system message.
std::string upstream_chat_body(const ChatBody& body, std::string_view model, std::string_view system,
                               const std::vector<Message>& lent = {});

}  // namespace signalbox

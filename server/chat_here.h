// Gives a chat's answer from inside this program: a text that is ready, or a model in process.
//
// Blocks while the model writes: for threads that may wait. A client that leaves ends the answer.
#pragma once

#include <memory>
#include <string>

#include "dispatch/answerer.h"
#include "net/http_server.h"
#include "server/chat_body.h"

namespace signalbox {

struct ChatHere {
  const Answerer& answerer;
  const PreparedAnswer& prepared;
  const ChatBody& body;
  ServerAnswer& answer;
  std::string fields;    // header lines of the answer: the decision
  std::string decision;  // its JSON, where the caller wants it in the answer; else empty
};

// The prepared text, as the assistant's message; it joins the session. Never waits for a model.
void give_text(const ChatHere& chat);

// What the route's model answers, with the caller's own limits, tools and temperature. Returns the
// status the client got; 0: the client left.
int give_model_answer(const ChatHere& chat);

}  // namespace signalbox

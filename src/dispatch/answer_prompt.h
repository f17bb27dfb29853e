// The messages a route's model answers from: the route's own prompt, filled in. Built in this one
// place, whether the answer is streamed or not.
#pragma once

#include <string>
#include <vector>

#include "llm/llm_client.h"
#include "probe/retriever.h"
#include "signalbox/decision.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

// What an answer may be made from. `history` holds the earlier messages, without the present one.
struct AnswerMaterial {
  std::string query;  // resolved
  std::vector<Message> history;
  std::string extra_context;
  std::vector<Passage> passages;
};

// With a prompt: one message, its {query}, {history}, {extra_context} and {passages} filled in; nothing
// inside a value is taken for a placeholder. Without one: the conversation as it stands.
std::vector<LlmMessage> answer_messages(const Route& route, const AnswerMaterial& material);

}  // namespace signalbox

// The messages a route's model answers from: the route's own prompt, filled in, then the conversation.
// Built in this one place, whether the answer is streamed or not, here or by a server behind us.
#pragma once

#include <string>
#include <vector>

#include "llm/llm_client.h"
#include "probe/retriever.h"
#include "signalbox/decision.h"
#include "signalbox/profile.h"
#include "signalbox/request.h"

namespace signalbox {

// What an answer may be made from.
struct AnswerMaterial {
  std::string_view query;  // resolved
  const std::vector<Message>& history;
  std::string_view extra_context;
  const std::vector<Passage>& passages;
};

// The system message: the route's prompt with {passages}, {extra_context}, {query} and {history} filled
// in; nothing inside a value is taken for a placeholder. Passages and context that a prompt has no
// place for follow it, so that nothing found is lost. Empty: no prompt, and nothing to add.
std::string system_prompt(const Route& route, const AnswerMaterial& material);

// The system message, where there is one, the conversation, and the message itself with its images.
std::vector<LlmMessage> answer_messages(std::string_view system, const std::vector<Message>& history,
                                        const Request& request);

// Earlier messages as a session lends them to a prompt: long ones are cut, and say so.
std::vector<Message> lent_messages(std::vector<Message> messages);

}  // namespace signalbox

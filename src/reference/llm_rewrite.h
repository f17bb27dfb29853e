// Asks an LLM for the message as it would stand alone, and believes only a plausible answer.
#pragma once

#include <string>
#include <string_view>

#include "llm/llm_client.h"
#include "signalbox/request.h"

namespace signalbox {

struct RewriteQuestion {
  std::string_view prompt;  // `{history}` and `{query}` are filled in
  std::string_view cheap;   // the cheap way's rewrite
  std::size_t messages = 20;
  Duration budget{};
};

std::string rewrite_prompt(const Request& request, const RewriteQuestion& question);

// Upstream: no JSON object with a text `query`, one over four times as long as message and cheap
// rewrite together, or one that shares no word of three letters or more (no character of unspaced
// scripts) with either.
Result<std::string> read_rewrite(const Request& request, const RewriteQuestion& question,
                                 std::string_view answer);

Result<std::string> ask_rewrite(LlmClient& llm, std::string slot, const Request& request,
                                const RewriteQuestion& question);

}  // namespace signalbox

// Asks an LLM to split a question, and believes only an answer that fits the schema and the question.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "llm/ladder.h"
#include "signalbox/decision.h"

namespace signalbox {

struct SplitQuestion {
  std::string_view prompt;  // `{query}` is filled in
  std::string_view query;
  std::string slot;
};

struct SplitAnswer {
  Result<std::vector<SubQuestion>> parts;
  int calls = 0;  // paid
};

// {"sub_questions": [{"semantic_intent", "search_keywords"}]}, as JSON Schema.
const std::string& sub_questions_schema();

// Empty: the question asks one thing. Upstream: no such object, a field that is missing, unknown or of
// another kind, more than 12 parts, or a part that shares no word with the question.
Result<std::vector<SubQuestion>> read_sub_questions(std::string_view query,
                                                    const boost::json::object& answer);

// One call, by tool call, JSON schema or plain text; what the backend refuses is not tried again soon.
SplitAnswer ask_sub_questions(LlmClient& llm, const SplitQuestion& question, const Deadline& deadline,
                              const Clock& clock, BackendMemory& memory);

}  // namespace signalbox

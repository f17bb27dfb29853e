// A request as the model's chat template writes it, the grammar its answer must fit, and the way back
// from the text it wrote to an answer.
//
// A JSON Schema, or the parameters of the tool that must be called, become a grammar, so what comes
// back parses. Tools are described as the template does, or as JSON before the first message where it
// knows none. A call the model chose itself is read in the template's form, or as {"name",
// "arguments"}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/llama_model.h"

namespace signalbox {

struct LlamaPrompt {
  // How the tool calls of the answer are found.
  enum class Calls { None, Arguments, Object, Template };

  std::string text;
  std::string grammar;  // empty: free text
  std::vector<std::string> stops;
  Calls calls = Calls::None;
  std::string tool;                  // the one that must be called
  common_chat_parser_params parser;  // for Calls::Template
};

// InvalidInput: an unknown role, a schema that is none, images, a tool_choice that names no tool.
Result<LlamaPrompt> write_llama_prompt(const LlamaModel& model, const LlmRequest& request, bool think);

// What of the text written so far may be shown already: all of it where no tool can be called.
std::string shown_text(const LlamaPrompt& prompt, const std::string& text);

// The text and tool calls of what the model wrote; text that is no call stays text. `is_whole` is false
// when it was cut at max_tokens.
LlmAnswer read_llama_answer(const LlamaPrompt& prompt, const LlmRequest& request, std::string text,
                            bool is_whole);

}  // namespace signalbox

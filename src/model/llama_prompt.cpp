#include "model/llama_prompt.h"

#include <fmt/format.h>
#include <json-schema-to-grammar.h>

#include <algorithm>
#include <boost/json.hpp>
#include <exception>
#include <optional>

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestPrompt = 8U << 20U;

common_chat_msg chat_message(const LlmMessage& message) {
  common_chat_msg out;
  out.role = message.role;
  out.content = message.content;
  out.tool_call_id = message.tool_call_id;
  for (const LlmToolCall& call : message.tool_calls)
    out.tool_calls.push_back({call.name, call.arguments, call.id});
  return out;
}

Result<void> check_messages(const LlmRequest& request) {
  if (request.messages.empty()) return fail(ErrorCode::InvalidInput, "a request needs a message");
  std::size_t bytes = 0;
  for (const LlmMessage& message : request.messages) {
    bytes += message.content.size();
    if (!message.images.empty()) return fail(ErrorCode::InvalidInput, "gguf: models see no images");
    if (message.role != "system" && message.role != "user" && message.role != "assistant" &&
        message.role != "tool")
      return fail(ErrorCode::InvalidInput, fmt::format("unknown role '{}'", message.role));
  }
  if (bytes > kLongestPrompt) return fail(ErrorCode::InvalidInput, "the messages are over 8 MB");
  return {};
}

const LlmTool* find_tool(const LlmRequest& request, const std::string& name) {
  const auto found = std::find_if(request.tools.begin(), request.tools.end(),
                                  [&](const LlmTool& tool) { return tool.name == name; });
  return found == request.tools.end() ? nullptr : &*found;
}

// The chat template of a model that knows no tools, for tools.
std::string described_tools(const LlmRequest& request, const LlmTool* chosen) {
  json::array tools;
  for (const LlmTool& tool : request.tools) {
    boost::system::error_code error;
    json::value parameters = json::parse(tool.parameters, error);
    if (error) parameters = json::object();
    tools.push_back(
        {{"name", tool.name}, {"description", tool.description}, {"parameters", parameters}});
  }
  const std::string rule =
      chosen ? fmt::format("Answer with the arguments of {} as JSON and nothing else.", chosen->name)
             : R"(To call one, answer {"name": …, "arguments": {…}} and nothing else.)";
  return fmt::format("Functions: {}\n{}", json::serialize(tools), rule);
}

void add_plain_tools(const LlmRequest& request, const LlmTool* chosen,
                     common_chat_templates_inputs& inputs) {
  const std::string tools = described_tools(request, chosen);
  if (inputs.messages.front().role == "system") {
    inputs.messages.front().content += "\n\n" + tools;
    return;
  }
  common_chat_msg system;
  system.role = "system";
  system.content = tools;
  inputs.messages.insert(inputs.messages.begin(), system);
}

std::string schema_grammar(const std::string& schema) {
  return json_schema_to_grammar(common_json::parse(schema), true);
}

// The tool that must be called is described as the template does, but its arguments alone are written:
// a template's own form of a call lets the model talk first, and a small one then talks and never
// calls.
void add_tools(const LlamaModel& model, const LlmRequest& request, const LlmTool* chosen,
               common_chat_templates_inputs& inputs, LlamaPrompt& prompt) {
  const auto abilities = common_chat_templates_get_caps(model.templates());
  const auto able = abilities.find("supports_tool_calls");
  const bool knows_tools = able != abilities.end() && able->second;
  if (chosen) prompt.grammar = schema_grammar(chosen->parameters);
  if (!knows_tools) {
    add_plain_tools(request, chosen, inputs);
    prompt.calls = chosen ? LlamaPrompt::Calls::Arguments : LlamaPrompt::Calls::Object;
    return;
  }
  prompt.calls = chosen ? LlamaPrompt::Calls::Arguments : LlamaPrompt::Calls::Template;
  inputs.force_pure_content = chosen != nullptr;
  for (const LlmTool& tool : request.tools) {
    if (!chosen || &tool == chosen)
      inputs.tools.push_back({tool.name, tool.description, tool.parameters});
  }
}

// May throw what llama.cpp throws.
LlamaPrompt written(const LlamaModel& model, const LlmRequest& request, const LlmTool* chosen,
                    bool think) {
  LlamaPrompt prompt;
  common_chat_templates_inputs inputs;
  for (const LlmMessage& message : request.messages) inputs.messages.push_back(chat_message(message));
  inputs.enable_thinking = think && request.json_schema.empty() && !chosen;
  inputs.force_pure_content = true;
  // A template may print today's date: without this the same request would not give the same bytes.
  inputs.now = {};
  if (!request.json_schema.empty() && !chosen) {
    prompt.grammar = schema_grammar(request.json_schema);
  } else if (!request.tools.empty()) {
    add_tools(model, request, chosen, inputs, prompt);
  }
  prompt.tool = chosen ? chosen->name : std::string();
  const common_chat_params params = common_chat_templates_apply(model.templates(), inputs);
  prompt.text = params.prompt;
  prompt.stops = params.additional_stops;
  if (prompt.calls == LlamaPrompt::Calls::Template) {
    prompt.parser = common_chat_parser_params(params);
    prompt.parser.parser.load(params.parser);
  }
  return prompt;
}

LlmToolCall tool_call(std::string name, std::string arguments, std::size_t number) {
  return {fmt::format("call_{}", number + 1), std::move(name), std::move(arguments)};
}

// {"name": …, "arguments": {…}} with the name of a known tool.
void find_call_object(const LlmRequest& request, LlmAnswer& answer) {
  boost::system::error_code error;
  const json::value value = json::parse(answer.text, error);
  if (error || !value.is_object()) return;
  const json::value* name = value.get_object().if_contains("name");
  const json::value* arguments = value.get_object().if_contains("arguments");
  if (!name || !name->is_string() || !arguments || !arguments->is_object()) return;
  if (!find_tool(request, std::string(name->get_string()))) return;
  answer.tool_calls.push_back(
      tool_call(std::string(name->get_string()), json::serialize(*arguments), 0));
  answer.text.clear();
}

// Nothing when the text is not in the template's form.
std::optional<common_chat_msg> parsed_by_template(const LlamaPrompt& prompt, const std::string& text,
                                                  bool is_part) {
  try {
    return common_chat_parse(text, is_part, prompt.parser);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void find_template_calls(const LlamaPrompt& prompt, LlmAnswer& answer) {
  const auto message = parsed_by_template(prompt, answer.text, false);
  if (!message) return;
  answer.text = message->content;
  for (const common_chat_tool_call& call : message->tool_calls)
    answer.tool_calls.push_back(tool_call(call.name, call.arguments, answer.tool_calls.size()));
}

}  // namespace

Result<LlamaPrompt> write_llama_prompt(const LlamaModel& model, const LlmRequest& request, bool think) {
  if (auto checked = check_messages(request); !checked) return tl::unexpected(checked.error());
  const LlmTool* chosen =
      request.tool_choice.empty() ? nullptr : find_tool(request, request.tool_choice);
  if (!request.tool_choice.empty() && !chosen)
    return fail(ErrorCode::InvalidInput,
                fmt::format("tool_choice names no tool: '{}'", request.tool_choice));
  try {
    return written(model, request, chosen, think);
  } catch (const std::exception& e) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("the request cannot be written for {}: {}", model.name(), e.what()));
  }
}

std::string shown_text(const LlamaPrompt& prompt, const std::string& text) {
  if (prompt.calls == LlamaPrompt::Calls::None) return text;
  if (!prompt.tool.empty()) return {};
  if (prompt.calls == LlamaPrompt::Calls::Template) {
    const auto message = parsed_by_template(prompt, text, true);
    return message ? message->content : std::string();
  }
  const std::size_t start = text.find_first_not_of(" \n\t");
  return start == std::string::npos || text[start] == '{' ? std::string() : text;
}

LlmAnswer read_llama_answer(const LlamaPrompt& prompt, const LlmRequest& request, std::string text,
                            bool is_whole) {
  LlmAnswer answer;
  answer.text = std::move(text);
  switch (prompt.calls) {
    case LlamaPrompt::Calls::None:
      break;
    case LlamaPrompt::Calls::Object:
      find_call_object(request, answer);
      break;
    case LlamaPrompt::Calls::Template:
      find_template_calls(prompt, answer);
      break;
    case LlamaPrompt::Calls::Arguments:
      if (!is_whole) break;
      answer.tool_calls.push_back(tool_call(prompt.tool, std::move(answer.text), 0));
      answer.text.clear();
      break;
  }
  answer.finish = !answer.tool_calls.empty() ? "tool_calls" : is_whole ? "stop" : "length";
  return answer;
}

}  // namespace signalbox

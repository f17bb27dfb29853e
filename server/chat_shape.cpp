#include "server/chat_shape.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>

#include "wire/json_append.h"

namespace signalbox {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string usage_json(const LlmUsage& usage) {
  return fmt::format(R"("usage":{{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{}}})",
                     usage.prompt_tokens, usage.completion_tokens,
                     usage.prompt_tokens + usage.completion_tokens);
}

std::string calls_json(const std::vector<LlmToolCall>& calls) {
  std::string out = "[";
  for (std::size_t i = 0; i < calls.size(); ++i) {
    out += fmt::format(
        R"({}{{"index":{},"id":{},"type":"function","function":{{"name":{},"arguments":{}}}}})",
        i > 0 ? "," : "", i, quoted(calls[i].id), quoted(calls[i].name), quoted(calls[i].arguments));
  }
  return out + "]";
}

}  // namespace

ChatShape::ChatShape(std::string_view model)
    : created_(std::chrono::duration_cast<std::chrono::seconds>(
                   std::chrono::system_clock::now().time_since_epoch())
                   .count()),
      model_(quoted(model)) {
  static std::atomic<std::uint64_t> number{0};
  id_ = fmt::format("chatcmpl-signalbox-{}-{}", created_, ++number);
}

std::string ChatShape::head(std::string_view kind) const {
  return fmt::format(R"({{"id":"{}","object":"{}","created":{},"model":{})", id_, kind, created_,
                     model_);
}

std::string ChatShape::event(std::string_view delta, std::string_view finish) const {
  return fmt::format("data: {},\"choices\":[{{\"index\":0,\"delta\":{},\"finish_reason\":{}}}]}}\n\n",
                     head("chat.completion.chunk"), delta, finish);
}

std::string ChatShape::whole(const GeneratedAnswer& answer) const {
  const bool has_calls = !answer.tool_calls.empty();
  return fmt::format(
      R"({},"choices":[{{"index":0,"message":{{"role":"assistant","content":{}{}}},"finish_reason":{},"logprobs":null}}],{}}})",
      head("chat.completion"), has_calls && answer.text.empty() ? "null" : quoted(answer.text),
      has_calls ? ",\"tool_calls\":" + calls_json(answer.tool_calls) : "", quoted(answer.finish),
      usage_json(answer.usage));
}

std::string ChatShape::first() const {
  return event(R"({"role":"assistant","content":""})", "null");
}

std::string ChatShape::piece(std::string_view text) const {
  return event("{\"content\":" + quoted(text) + "}", "null");
}

std::string ChatShape::last(const GeneratedAnswer& answer, bool with_usage) const {
  std::string out;
  if (!answer.tool_calls.empty())
    out += event("{\"tool_calls\":" + calls_json(answer.tool_calls) + "}", "null");
  out += event("{}", quoted(answer.finish));
  if (with_usage) {
    out += fmt::format("data: {},\"choices\":[],{}}}\n\n", head("chat.completion.chunk"),
                       usage_json(answer.usage));
  }
  return out;
}

}  // namespace signalbox

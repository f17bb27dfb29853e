// OpenAI's chat interface: what is sent.

#include "llm/openai_client.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cctype>

#include "llm/chat_dialect.h"
#include "llm/json_fields.h"
#include "net/url.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;

json::value parsed(const std::string& text) {
  boost::system::error_code ec;
  json::value value = json::parse(text, ec);
  return ec ? json::value() : value;
}

json::value content_of(const LlmMessage& message) {
  if (message.images.empty()) return json::value(message.content);
  json::array parts;
  if (!message.content.empty()) parts.push_back({{"type", "text"}, {"text", message.content}});
  for (const std::string& image : message.images)
    parts.push_back({{"type", "image_url"}, {"image_url", {{"url", image}}}});
  return parts;
}

json::object message_of(const LlmMessage& message) {
  json::object out{{"role", message.role}, {"content", content_of(message)}};
  if (!message.tool_call_id.empty()) out["tool_call_id"] = message.tool_call_id;
  if (message.tool_calls.empty()) return out;
  json::array calls;
  for (const LlmToolCall& call : message.tool_calls) {
    calls.push_back({{"id", call.id},
                     {"type", "function"},
                     {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  }
  out["tool_calls"] = std::move(calls);
  return out;
}

json::array tools_of(const LlmRequest& request) {
  json::array out;
  for (const LlmTool& tool : request.tools) {
    out.push_back({{"type", "function"},
                   {"function",
                    {{"name", tool.name},
                     {"description", tool.description},
                     {"parameters", parsed(tool.parameters)}}}});
  }
  return out;
}

// `required` is understood more widely than a tool's name, and means the same when there is one tool.
json::value tool_choice_of(const LlmRequest& request) {
  if (request.tools.size() == 1 && request.tools.front().name == request.tool_choice) return "required";
  return {{"type", "function"}, {"function", {{"name", request.tool_choice}}}};
}

// OpenAI takes a schema strictly only when every object names all its fields and no others.
bool is_strict(const json::value& schema) {
  const json::object* object = schema.if_object();
  if (!object) return true;
  if (const json::object* fields = json_fields::object_at(*object, "properties")) {
    const json::value* more = object->if_contains("additionalProperties");
    const json::array* required = json_fields::array_at(*object, "required");
    if (!more || !more->is_bool() || more->get_bool() || !required ||
        required->size() != fields->size())
      return false;
    for (const auto& field : *fields) {
      if (!is_strict(field.value())) return false;
    }
  }
  const json::value* items = object->if_contains("items");
  return !items || is_strict(*items);
}

// "v1", "v4", "v1beta": the last part of a base address that already names a version.
bool is_version(std::string_view part) {
  return part.size() >= 2 && part[0] == 'v' && std::isdigit(static_cast<unsigned char>(part[1])) != 0;
}

class OpenAiDialect : public ChatDialect {
 public:
  OpenAiDialect(std::string base, std::string query, bool is_openai)
      : base_(std::move(base)), query_(std::move(query)), is_openai_(is_openai) {}

  std::string chat_url() const override { return base_ + "/chat/completions" + query_; }
  std::string models_url() const override { return base_ + "/models" + query_; }

  Result<std::string> chat_body(const LlmRequest& request, bool is_stream) const override {
    json::object body{{"model", request.model}};
    json::array messages;
    for (const LlmMessage& message : request.messages) messages.push_back(message_of(message));
    body["messages"] = std::move(messages);
    body[is_openai_ ? "max_completion_tokens" : "max_tokens"] = request.max_tokens;
    body["temperature"] = request.temperature;
    body["seed"] = request.seed & 0x7fffffffU;
    if (!request.tools.empty()) body["tools"] = tools_of(request);
    if (!request.tools.empty() && !request.tool_choice.empty())
      body["tool_choice"] = tool_choice_of(request);
    if (!request.json_schema.empty()) {
      json::value schema = parsed(request.json_schema);
      const bool strict = is_strict(schema);
      body["response_format"] = {
          {"type", "json_schema"},
          {"json_schema", {{"name", "answer"}, {"strict", strict}, {"schema", std::move(schema)}}}};
    }
    if (is_stream) {
      body["stream"] = true;
      body["stream_options"] = {{"include_usage", true}};
    }
    return json_text(body);
  }

  std::unique_ptr<ChatReader> reader(bool is_stream) const override {
    return is_stream ? openai_stream_reader() : openai_whole_reader();
  }

  Result<std::vector<std::string>> read_models(std::string_view body) const override {
    boost::system::error_code ec;
    const json::value value = json::parse({body.data(), body.size()}, ec);
    const json::array* list =
        !ec && value.is_object() ? json_fields::array_at(value.get_object(), "data") : nullptr;
    if (!list) return fail(ErrorCode::Upstream, "no list of models in the answer");
    std::vector<std::string> names;
    for (const json::value& item : *list) {
      if (const json::object* model = item.if_object())
        names.emplace_back(json_fields::text_at(*model, "id"));
    }
    return names;
  }

  bool is_model(std::string_view listed, std::string_view wanted) const override {
    return listed == wanted;
  }

 private:
  std::string base_;   // ends with the version, without '/'
  std::string query_;  // "?…" or empty
  bool is_openai_;     // the original, whose newer models refuse `max_tokens`
};

}  // namespace

Result<std::unique_ptr<ChatDialect>> openai_dialect(const std::string& base) {
  auto url = parse_url(base);
  if (!url) return tl::unexpected(url.error());
  const std::size_t mark = url->target.find('?');
  std::string path = url->target.substr(0, mark);
  const std::string query = mark == std::string::npos ? "" : url->target.substr(mark);
  constexpr std::string_view kEnd = "/chat/completions";
  while (path.ends_with('/')) path.pop_back();
  if (path.ends_with(kEnd))
    path.resize(path.size() - kEnd.size());
  else if (!is_version(std::string_view(path).substr(path.rfind('/') + 1)))
    path += "/v1";
  const std::string user = url->userinfo.empty() ? "" : url->userinfo + "@";
  return std::make_unique<OpenAiDialect>(
      fmt::format("{}://{}{}{}", url->scheme, user, url->place(), path), query,
      url->host == "api.openai.com");
}

}  // namespace signalbox

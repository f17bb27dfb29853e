// Ollama's chat interface: /api/chat, its stream of JSON lines, its options and counts.

#include <fmt/format.h>

#include "llm/chat_dialect.h"
#include "llm/json_fields.h"
#include "net/line_splitter.h"
#include "net/url.h"
#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::array_at;
using json_fields::count_at;
using json_fields::object_at;
using json_fields::text_at;

constexpr std::uint16_t kPort = 11434;
constexpr std::size_t kMaxLine = std::size_t{4} << 20;
constexpr std::size_t kMaxToolCalls = 128;
constexpr const char* kKeepAlive = "10m";  // between two questions a model should stay loaded

json::value parsed(const std::string& text) {
  boost::system::error_code ec;
  json::value value = json::parse(text, ec);
  return ec ? json::value(json::object()) : value;
}

// Ollama takes an image as its bytes in base64, not as an address.
Result<json::array> images_of(const LlmMessage& message) {
  json::array out;
  for (const std::string& image : message.images) {
    const std::size_t comma = image.find(";base64,");
    if (!image.starts_with("data:") || comma == std::string::npos)
      return fail(ErrorCode::InvalidInput, "Ollama takes images as data: addresses in base64 alone");
    out.push_back(json::string(std::string_view(image).substr(comma + 8)));
  }
  return out;
}

Result<json::object> message_of(const LlmMessage& message) {
  json::object out{{"role", message.role}, {"content", message.content}};
  if (!message.images.empty()) {
    auto images = images_of(message);
    if (!images) return tl::unexpected(images.error());
    out["images"] = *std::move(images);
  }
  if (message.tool_calls.empty()) return out;
  json::array calls;
  for (const LlmToolCall& call : message.tool_calls)
    calls.push_back(json::object{
        {"function", json::object{{"name", call.name}, {"arguments", parsed(call.arguments)}}}});
  out["tool_calls"] = std::move(calls);
  return out;
}

json::array tools_of(const LlmRequest& request) {
  json::array out;
  for (const LlmTool& tool : request.tools) {
    // There is no tool_choice here: the tool that must be called is the only one offered.
    if (!request.tool_choice.empty() && tool.name != request.tool_choice) continue;
    out.push_back({{"type", "function"},
                   {"function",
                    {{"name", tool.name},
                     {"description", tool.description},
                     {"parameters", parsed(tool.parameters)}}}});
  }
  return out;
}

// One object a line when it streams, one object when it does not: the same reader serves both.
class OllamaReader : public ChatReader {
 public:
  Result<bool> take(std::string_view bytes, const TextSink& sink) override {
    Result<void> problem;
    auto fed = lines_.feed(bytes, [&](std::string_view line) { return add(line, sink, problem); });
    if (!problem) return tl::unexpected(problem.error());
    return fed;
  }

  Result<LlmAnswer> finish() override {
    Result<void> problem;
    auto fed = lines_.finish([&](std::string_view line) { return add(line, {}, problem); });
    if (!problem) return tl::unexpected(problem.error());
    if (!fed) return tl::unexpected(fed.error());
    if (answer_.finish.empty())
      return fail(ErrorCode::Upstream, "the model's stream ended in the middle");
    return answer_;
  }

  LlmAnswer so_far() const override { return answer_; }
  bool has_token() const override { return !answer_.text.empty() || !answer_.tool_calls.empty(); }

 private:
  bool add(std::string_view line, const TextSink& sink, Result<void>& problem) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) return true;
    boost::system::error_code ec;
    const json::value value = json::parse({line.data(), line.size()}, ec);
    const json::object* object = ec ? nullptr : value.if_object();
    if (!object)
      problem = fail(ErrorCode::Upstream, "the model server's answer is no JSON");
    else if (object->contains("error"))
      problem = fail(ErrorCode::Upstream, "the model server reports an error in its answer");
    if (!problem) return false;
    const std::size_t before = answer_.text.size();
    add_object(*object);
    if (answer_.tool_calls.size() > kMaxToolCalls) {
      problem = fail(ErrorCode::Upstream, "too many tool calls");
      return false;
    }
    const std::string piece = answer_.text.substr(before);
    return piece.empty() || !sink || sink(piece);
  }

  void add_object(const json::object& object) {
    if (const auto model = text_at(object, "model"); !model.empty()) answer_.model = model;
    if (const json::object* message = object_at(object, "message")) {
      answer_.text += text_at(*message, "content");
      if (const json::array* calls = array_at(*message, "tool_calls")) {
        for (const json::value& item : *calls) add_call(item);
      }
    }
    if (!json_fields::true_at(object, "done")) return;
    const std::string_view reason = text_at(object, "done_reason");
    answer_.finish = reason == "length"            ? "length"
                     : !answer_.tool_calls.empty() ? "tool_calls"
                                                   : "stop";
    answer_.usage.prompt_tokens = count_at(object, "prompt_eval_count");
    answer_.usage.completion_tokens = count_at(object, "eval_count");
    // Loading and reading the prompt come before the first token; a stream measures it itself.
    answer_.usage.to_first_token = Duration(json_fields::number_at(object, "load_duration") +
                                            json_fields::number_at(object, "prompt_eval_duration"));
  }

  void add_call(const json::value& item) {
    const json::object* call = item.if_object();
    const json::object* function = call ? object_at(*call, "function") : nullptr;
    if (!function) return;
    LlmToolCall out;
    out.id = text_at(*call, "id");
    if (out.id.empty()) out.id = fmt::format("call_{}", answer_.tool_calls.size());
    out.name = text_at(*function, "name");
    const json::object* arguments = object_at(*function, "arguments");
    out.arguments =
        arguments ? json::serialize(*arguments) : std::string(text_at(*function, "arguments"));
    answer_.tool_calls.push_back(std::move(out));
  }

  LineSplitter lines_{kMaxLine};
  LlmAnswer answer_;
};

class OllamaDialect : public ChatDialect {
 public:
  explicit OllamaDialect(std::string base) : base_(std::move(base)) {}

  std::string chat_url() const override { return base_ + "/api/chat"; }
  std::string models_url() const override { return base_ + "/api/tags"; }

  Result<std::string> chat_body(const LlmRequest& request, bool is_stream) const override {
    json::array messages;
    for (const LlmMessage& message : request.messages) {
      auto made = message_of(message);
      if (!made) return tl::unexpected(made.error());
      messages.push_back(*std::move(made));
    }
    json::object body{
        {"model", request.model}, {"messages", std::move(messages)}, {"stream", is_stream}};
    if (!request.tools.empty()) body["tools"] = tools_of(request);
    if (!request.json_schema.empty()) body["format"] = parsed(request.json_schema);
    body["think"] = false;
    body["keep_alive"] = kKeepAlive;
    body["options"] = {{"temperature", request.temperature},
                       {"seed", request.seed & 0x7fffffffU},
                       {"num_predict", request.max_tokens}};
    return json_text(body);
  }

  std::unique_ptr<ChatReader> reader(bool) const override { return std::make_unique<OllamaReader>(); }

  Result<std::vector<std::string>> read_models(std::string_view body) const override {
    boost::system::error_code ec;
    const json::value value = json::parse({body.data(), body.size()}, ec);
    const json::array* list =
        !ec && value.is_object() ? array_at(value.get_object(), "models") : nullptr;
    if (!list) return fail(ErrorCode::Upstream, "no list of models in the answer");
    std::vector<std::string> names;
    for (const json::value& item : *list) {
      if (const json::object* model = item.if_object()) names.emplace_back(text_at(*model, "name"));
    }
    return names;
  }

  // "qwen3" means "qwen3:latest".
  bool is_model(std::string_view listed, std::string_view wanted) const override {
    return listed == wanted ||
           (wanted.find(':') == std::string_view::npos && listed == std::string(wanted) + ":latest");
  }

 private:
  std::string base_;
};

}  // namespace

Result<std::unique_ptr<ChatDialect>> ollama_dialect(const std::string& address) {
  constexpr std::string_view kScheme = "ollama://";
  std::string place = address.starts_with(kScheme) ? address.substr(kScheme.size()) : address;
  std::string scheme = "http";
  // OLLAMA_HOST may hold a scheme of its own: ollama://https://host
  if (const std::size_t at = place.find("://"); at != std::string::npos) {
    scheme = place.substr(0, at);
    place = place.substr(at + 3);
  }
  while (place.ends_with('/')) place.pop_back();
  auto url = parse_url(fmt::format("{}://{}", scheme, place.empty() ? "127.0.0.1" : place));
  if (!url) return tl::unexpected(url.error());
  const std::size_t user = place.rfind('@') == std::string::npos ? 0 : place.rfind('@') + 1;
  const std::size_t colon = place.rfind(':');
  const bool has_port =
      colon != std::string::npos && colon >= user && place.find(']', colon) == std::string::npos;
  if (!has_port && !url->is_tls()) url->port = kPort;
  if (url->host == "0.0.0.0")
    url->host = "127.0.0.1";  // where a server listens is not where it is called
  const std::string path = url->target == "/" ? "" : url->target;
  const std::string userinfo = url->userinfo.empty() ? "" : url->userinfo + "@";
  return std::make_unique<OllamaDialect>(
      fmt::format("{}://{}{}{}", url->scheme, userinfo, url->place(), path));
}

}  // namespace signalbox

// OpenAI's chat interface: what comes back.

#include <fmt/format.h>

#include "base/utf8.h"
#include "llm/json_fields.h"
#include "llm/openai_client.h"
#include "net/sse_parser.h"

namespace signalbox {
namespace {

namespace json = boost::json;
using json_fields::array_at;
using json_fields::count_at;
using json_fields::object_at;
using json_fields::text_at;

constexpr std::size_t kMaxToolCalls = 128;

std::string finish_name(std::string_view reason) {
  if (reason == "length" || reason == "tool_calls") return std::string(reason);
  return reason == "function_call" ? "tool_calls" : "stop";
}

// What both forms of an answer share.
class OpenAiAnswer {
 public:
  // One object of the stream, or the whole answer; `name` is "delta" or "message".
  Result<std::string> add(const json::object& object, std::string_view name) {
    if (object.contains("error") && !object.at("error").is_null())
      return fail(ErrorCode::Upstream, "the model server reports an error in its answer");
    if (const auto model = text_at(object, "model"); !model.empty()) answer_.model = model;
    if (const json::object* usage = object_at(object, "usage")) add_usage(*usage);
    const json::array* choices = array_at(object, "choices");
    const json::object* choice = choices && !choices->empty() ? choices->front().if_object() : nullptr;
    if (!choice) return std::string();
    if (const auto reason = text_at(*choice, "finish_reason"); !reason.empty())
      answer_.finish = finish_name(reason);
    const json::object* message = object_at(*choice, name);
    if (!message) return std::string();
    if (const json::array* calls = array_at(*message, "tool_calls")) {
      for (std::size_t i = 0; i < calls->size(); ++i) {
        if (!add_call((*calls)[i], i))
          return fail(ErrorCode::Upstream, "a tool call of a strange index");
      }
    }
    std::string piece(text_at(*message, "content"));
    answer_.text += piece;
    return piece;
  }

  bool has_token() const { return !answer_.text.empty() || !answer_.tool_calls.empty(); }
  LlmAnswer& answer() { return answer_; }
  const LlmAnswer& answer() const { return answer_; }

 private:
  void add_usage(const json::object& usage) {
    answer_.usage.prompt_tokens = count_at(usage, "prompt_tokens");
    answer_.usage.completion_tokens = count_at(usage, "completion_tokens");
    if (const json::object* details = object_at(usage, "prompt_tokens_details"))
      answer_.usage.cached_tokens = count_at(*details, "cached_tokens");
  }

  bool add_call(const json::value& item, std::size_t position) {
    const json::object* call = item.if_object();
    if (!call) return false;
    const json::value* index = call->if_contains("index");
    const std::size_t at =
        index && index->is_number() ? static_cast<std::size_t>(count_at(*call, "index")) : position;
    if (at >= kMaxToolCalls) return false;
    auto& calls = answer_.tool_calls;
    if (calls.size() <= at) calls.resize(at + 1);
    if (const auto id = text_at(*call, "id"); !id.empty()) calls[at].id = id;
    if (const json::object* function = object_at(*call, "function")) {
      if (const auto name = text_at(*function, "name"); !name.empty()) calls[at].name = name;
      // Some servers give the arguments as an object instead of its text.
      if (const json::object* arguments = object_at(*function, "arguments"))
        calls[at].arguments = json::serialize(*arguments);
      else
        calls[at].arguments += text_at(*function, "arguments");
    }
    return true;
  }

  LlmAnswer answer_;
};

Result<json::object> parse_object(std::string_view text) {
  boost::system::error_code ec;
  json::value value = json::parse({text.data(), text.size()}, ec);
  if (ec || !value.is_object())
    return fail(ErrorCode::Upstream, "the model server's answer is no JSON");
  return std::move(value.get_object());
}

class OpenAiStreamReader : public ChatReader {
 public:
  Result<bool> take(std::string_view bytes, const TextSink& sink) override {
    Result<void> problem;
    auto fed = events_.feed(bytes, [&](const SseEvent& event) { return add(event, sink, problem); });
    if (!problem) return tl::unexpected(problem.error());
    return fed;
  }

  Result<LlmAnswer> finish() override {
    Result<void> problem;
    auto fed = events_.finish([&](const SseEvent& event) { return add(event, {}, problem); });
    if (!problem) return tl::unexpected(problem.error());
    if (!fed) return tl::unexpected(fed.error());
    if (built_.answer().finish.empty() && !is_done_)
      return fail(ErrorCode::Upstream, "the model's stream ended in the middle");
    if (built_.answer().finish.empty()) built_.answer().finish = "stop";
    return built_.answer();
  }

  LlmAnswer so_far() const override { return built_.answer(); }
  bool has_token() const override { return built_.has_token(); }

 private:
  bool add(const SseEvent& event, const TextSink& sink, Result<void>& problem) {
    if (is_done_) return true;
    if (event.data == "[DONE]") {
      is_done_ = true;
      return true;
    }
    auto object = parse_object(event.data);
    auto piece =
        object ? built_.add(*object, "delta") : Result<std::string>(tl::unexpected(object.error()));
    if (!piece) {
      problem = tl::unexpected(piece.error());
      return false;
    }
    return piece->empty() || !sink || sink(*piece);
  }

  SseParser events_;
  OpenAiAnswer built_;
  bool is_done_ = false;
};

class OpenAiWholeReader : public ChatReader {
 public:
  Result<bool> take(std::string_view bytes, const TextSink&) override {
    body_ += bytes;
    return true;
  }

  Result<LlmAnswer> finish() override {
    auto object = parse_object(body_);
    if (!object) return tl::unexpected(object.error());
    auto piece = built_.add(*object, "message");
    if (!piece) return tl::unexpected(piece.error());
    if (!array_at(*object, "choices") || array_at(*object, "choices")->empty())
      return fail(ErrorCode::Upstream, "the model server's answer has no choices");
    if (built_.answer().finish.empty()) built_.answer().finish = "stop";
    return built_.answer();
  }

  LlmAnswer so_far() const override { return built_.answer(); }
  bool has_token() const override { return built_.has_token(); }

 private:
  std::string body_;  // bounded by the request's max_body
  OpenAiAnswer built_;
};

}  // namespace

std::unique_ptr<ChatReader> openai_stream_reader() {
  return std::make_unique<OpenAiStreamReader>();
}

std::unique_ptr<ChatReader> openai_whole_reader() {
  return std::make_unique<OpenAiWholeReader>();
}

}  // namespace signalbox

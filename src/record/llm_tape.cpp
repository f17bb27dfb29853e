#include "record/llm_tape.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/hash.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

// Each part with its length, so that no two lists of parts look alike.
class Digest {
 public:
  void add(std::string_view part) {
    add_number(part.size());
    for (std::uint64_t& hash : hashes_) hash = hash_text(part, hash * 0x9E3779B97F4A7C15ULL + 1);
  }
  void add_number(std::uint64_t number) {
    for (std::uint64_t& hash : hashes_)
      hash = hash_text({reinterpret_cast<const char*>(&number), sizeof number}, hash);
  }
  std::string text() const { return fmt::format("{:016x}{:016x}", hashes_[0], hashes_[1]); }

 private:
  std::uint64_t hashes_[2] = {kHashStart, ~kHashStart};
};

}  // namespace

std::string llm_digest(const LlmRequest& request) {
  Digest digest;
  digest.add(request.slot);
  digest.add(request.model);
  digest.add_number(request.messages.size());
  for (const LlmMessage& message : request.messages) {
    digest.add(message.role);
    digest.add(message.content);
    digest.add(message.tool_call_id);
    for (const std::string& image : message.images) digest.add(image);
    for (const LlmToolCall& call : message.tool_calls) {
      digest.add(call.name);
      digest.add(call.arguments);
    }
  }
  for (const LlmTool& tool : request.tools) {
    digest.add(tool.name);
    digest.add(tool.parameters);
  }
  digest.add(request.tool_choice);
  digest.add(request.json_schema);
  digest.add_number(static_cast<std::uint64_t>(request.max_tokens));
  digest.add(fmt::format("{}", request.temperature));
  digest.add_number(request.seed);
  return digest.text();
}

std::string llm_answer_json(const Result<LlmAnswer>& answer) {
  if (!answer) {
    return json::serialize(json::object{{"error", static_cast<int>(answer.error().code)},
                                        {"message", answer.error().message}});
  }
  json::array calls;
  for (const LlmToolCall& call : answer->tool_calls)
    calls.push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  return json::serialize(json::object{{"text", answer->text},
                                      {"tool_calls", std::move(calls)},
                                      {"finish", answer->finish},
                                      {"model", answer->model},
                                      {"prompt_tokens", answer->usage.prompt_tokens},
                                      {"completion_tokens", answer->usage.completion_tokens}});
}

Result<LlmAnswer> llm_answer_from_json(const std::string& text) {
  auto object = parse_json_object(text);
  if (!object) return fail(ErrorCode::Corrupt, "a stored answer: " + object.error().message);
  const auto string = [](const json::object& from, const char* name) {
    const json::value* value = from.if_contains(name);
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
  };
  const auto number = [&](const char* name) {
    const json::value* value = object->if_contains(name);
    return value && value->is_int64() ? static_cast<int>(value->get_int64()) : 0;
  };
  if (object->contains("error")) {
    const int code = number("error");
    if (code < 0 || code > static_cast<int>(ErrorCode::Corrupt))
      return fail(ErrorCode::Corrupt, "a stored answer");
    return fail(static_cast<ErrorCode>(code), string(*object, "message"));
  }
  LlmAnswer answer;
  answer.text = string(*object, "text");
  answer.finish = string(*object, "finish");
  answer.model = string(*object, "model");
  answer.usage.prompt_tokens = number("prompt_tokens");
  answer.usage.completion_tokens = number("completion_tokens");
  if (const json::value* calls = object->if_contains("tool_calls"); calls && calls->is_array()) {
    for (const json::value& call : calls->get_array()) {
      if (!call.is_object()) return fail(ErrorCode::Corrupt, "a stored tool call");
      answer.tool_calls.push_back({string(call.get_object(), "id"), string(call.get_object(), "name"),
                                   string(call.get_object(), "arguments")});
    }
  }
  return answer;
}

RecordingLlm::RecordingLlm(std::shared_ptr<LlmClient> inner, DecisionLog& log,
                           std::shared_ptr<const Clock> clock)
    : inner_(std::move(inner)), log_(log), clock_(std::move(clock)) {}

Result<LlmAnswer> RecordingLlm::complete(const LlmRequest& request, const TextSink& sink) {
  auto answer = inner_->complete(request, sink);
  log_.add(LoggedAnswer{llm_digest(request), clock_->wall().time_since_epoch().count(),
                        llm_answer_json(answer)});
  return answer;
}

TapeLlm::TapeLlm(const std::vector<LoggedAnswer>& answers) {
  for (const LoggedAnswer& answer : answers) answers_[answer.digest][answer.at] = answer.answer;
}

Result<LlmAnswer> TapeLlm::complete(const LlmRequest& request, const TextSink& sink) {
  const auto known = answers_.find(llm_digest(request));
  if (known == answers_.end()) return fail(ErrorCode::Upstream, "this question is not on the tape");
  auto after = known->second.upper_bound(at_);
  if (after != known->second.begin()) --after;
  auto answer = llm_answer_from_json(after->second);
  if (answer && sink) sink(answer->text);
  return answer;
}

}  // namespace signalbox

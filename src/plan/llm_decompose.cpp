#include "plan/llm_decompose.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/utf8.h"
#include "llm/json_fields.h"
#include "normalize/shared_words.h"
#include "plan/decompose.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr int kMaxTokens = 600;
constexpr int kMaxCalls = 1;  // what a backend refuses is asked in another way next time
constexpr std::size_t kMaxPartBytes = 1000;
constexpr std::string_view kPlace = "{query}";

Result<std::string> text_of(const json::object& part, std::string_view name) {
  const json::value* value = part.if_contains(name);
  if (!value || !value->is_string())
    return fail(ErrorCode::Upstream, fmt::format("a sub-question has no text '{}'", name));
  std::string text(value->get_string());
  if (text.size() > kMaxPartBytes || find_invalid_utf8(text))
    return fail(ErrorCode::Upstream,
                fmt::format("'{}' of a sub-question is too long or not UTF-8", name));
  return text;
}

Result<SubQuestion> part_of(std::string_view query, const json::value& value) {
  const json::object* part = value.if_object();
  if (!part || part->size() != 2)
    return fail(ErrorCode::Upstream, "a sub-question has other fields than the schema");
  auto intent = text_of(*part, "semantic_intent");
  if (!intent) return tl::unexpected(intent.error());
  auto keywords = text_of(*part, "search_keywords");
  if (!keywords) return tl::unexpected(keywords.error());
  if (!shares_word(*intent, query))
    return fail(ErrorCode::Upstream, "a sub-question has nothing of the question");
  return SubQuestion{*std::move(intent), *std::move(keywords)};
}

}  // namespace

const std::string& sub_questions_schema() {
  static const std::string schema =
      R"({"type":"object","additionalProperties":false,"required":["sub_questions"],"properties":{)"
      R"("sub_questions":{"type":"array","maxItems":12,"items":{"type":"object",)"
      R"("additionalProperties":false,"required":["semantic_intent","search_keywords"],"properties":{)"
      R"("semantic_intent":{"type":"string"},"search_keywords":{"type":"string"}}}}}})";
  return schema;
}

Result<std::vector<SubQuestion>> read_sub_questions(std::string_view query,
                                                    const json::object& answer) {
  const json::array* parts = json_fields::array_at(answer, "sub_questions");
  if (!parts || answer.size() != 1)
    return fail(ErrorCode::Upstream, "the answer is not {\"sub_questions\": […]}");
  if (parts->size() > planning::kMostParts)
    return fail(ErrorCode::Upstream, fmt::format("{} sub-questions are too many", parts->size()));
  std::vector<SubQuestion> out;
  for (const json::value& value : *parts) {
    auto part = part_of(query, value);
    if (!part) return tl::unexpected(part.error());
    out.push_back(*std::move(part));
  }
  if (out.size() == 1) out.clear();  // one part is the question itself
  return out;
}

SplitAnswer ask_sub_questions(LlmClient& llm, const SplitQuestion& question, const Deadline& deadline,
                              const Clock& clock, BackendMemory& memory) {
  std::string prompt(question.prompt);
  if (const std::size_t at = prompt.find(kPlace); at != std::string::npos)
    prompt.replace(at, kPlace.size(), question.query);
  Question ask;
  ask.request.slot = question.slot;
  ask.request.max_tokens = kMaxTokens;
  LlmMessage message;
  message.role = "user";
  message.content = std::move(prompt);
  ask.request.messages.push_back(std::move(message));
  ask.tool = {"split_question", "The parts of a question.", sub_questions_schema()};
  ask.max_calls = kMaxCalls;
  const AskOutcome outcome = ask_for_object(llm, ask, deadline, clock, memory);
  if (!outcome.object) return {fail(ErrorCode::Upstream, outcome.why), outcome.calls};
  return {read_sub_questions(question.query, *outcome.object), outcome.calls};
}

}  // namespace signalbox

#include "reference/llm_rewrite.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/utf8.h"
#include "normalize/shared_words.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxMessageCharacters = 500;
constexpr int kMaxTokens = 200;

constexpr std::string_view kHistory = "{history}";
constexpr std::string_view kQuery = "{query}";

}  // namespace

std::string rewrite_prompt(const Request& request, const RewriteQuestion& question) {
  std::string history;
  const std::size_t all = request.history.size();
  for (std::size_t i = all - std::min(all, question.messages); i < all; ++i)
    history += fmt::format("{}: {}\n", request.history[i].role,
                           utf8_prefix(request.history[i].content, kMaxMessageCharacters));
  // In one pass: what the user wrote is never itself a place to fill.
  std::string prompt;
  for (std::string_view rest = question.prompt; !rest.empty();) {
    if (rest.starts_with(kHistory)) {
      prompt += history;
      rest.remove_prefix(kHistory.size());
    } else if (rest.starts_with(kQuery)) {
      prompt += request.query;
      rest.remove_prefix(kQuery.size());
    } else {
      prompt += rest.front();
      rest.remove_prefix(1);
    }
  }
  return prompt;
}

Result<std::string> read_rewrite(const Request& request, const RewriteQuestion& question,
                                 std::string_view answer) {
  const std::size_t begin = answer.find('{');
  const std::size_t end = answer.rfind('}');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    return fail(ErrorCode::Upstream, "the rewrite is no JSON object");
  std::error_code ec;
  const auto value = boost::json::parse(answer.substr(begin, end - begin + 1), ec);
  const auto* query = !ec && value.is_object() ? value.get_object().if_contains("query") : nullptr;
  if (!query || !query->is_string() || query->get_string().empty())
    return fail(ErrorCode::Upstream, "the rewrite has no query");
  const std::string_view text(query->get_string().data(), query->get_string().size());
  if (find_invalid_utf8(text)) return fail(ErrorCode::Upstream, "the rewrite is not UTF-8");
  if (text.size() > 4 * (request.query.size() + question.cheap.size()) + 40)
    return fail(ErrorCode::Upstream, "the rewrite is too long");
  if (!shares_word(text, request.query) && !shares_word(text, question.cheap))
    return fail(ErrorCode::Upstream, "the rewrite has nothing of the message");
  return std::string(text);
}

Result<std::string> ask_rewrite(LlmClient& llm, std::string slot, const Request& request,
                                const RewriteQuestion& question) {
  LlmRequest ask;
  ask.slot = std::move(slot);
  ask.budget = question.budget;
  ask.max_tokens = kMaxTokens;
  LlmMessage message;
  message.role = "user";
  message.content = rewrite_prompt(request, question);
  ask.messages.push_back(std::move(message));
  auto answer = llm.complete(ask);
  if (!answer) return tl::unexpected(answer.error());
  return read_rewrite(request, question, answer->text);
}

}  // namespace signalbox

#include "dispatch/answer_prompt.h"

#include <fmt/format.h>

#include <map>

#include "base/utf8.h"

namespace signalbox {
namespace {

constexpr std::size_t kHistoryCharacters = 800;   // of one earlier message
constexpr std::size_t kPassageCharacters = 2000;  // of one passage

// In one pass, so that nothing inside a value is taken for a placeholder.
std::string filled(std::string_view text, const std::map<std::string_view, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    const auto value = close == std::string_view::npos
                           ? values.end()
                           : values.find(text.substr(at + 1, close - at - 1));
    if (value == values.end()) {
      out += text[at++];
      continue;
    }
    out += value->second;
    at = close + 1;
  }
  return out;
}

std::string cut(std::string_view text, std::size_t characters) {
  const std::string_view kept = utf8_prefix(text, characters);
  return kept.size() == text.size() ? std::string(text) : std::string(kept) + " […]";
}

std::string history_text(const std::vector<Message>& history) {
  std::string out;
  for (const Message& message : history)
    out += fmt::format("{}: {}\n", message.role, cut(message.content, kHistoryCharacters));
  return out.empty() ? "(nothing yet)" : out;
}

std::string passages_text(const std::vector<Passage>& passages) {
  std::string out;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const Passage& passage = passages[i];
    out += fmt::format("[{}] {} ({}:{}-{})\n{}\n\n", i + 1, passage.title, passage.file,
                       passage.first_line, passage.last_line, cut(passage.text, kPassageCharacters));
  }
  return out.empty() ? "(none found)" : out;
}

}  // namespace

std::vector<LlmMessage> answer_messages(const Route& route, const AnswerMaterial& material) {
  std::vector<LlmMessage> out;
  if (!route.prompt.empty()) {
    LlmMessage message;
    message.role = "user";
    message.content = filled(
        route.prompt,
        {{"query", material.query},
         {"history", history_text(material.history)},
         {"extra_context", material.extra_context.empty() ? "(none given)" : material.extra_context},
         {"passages", passages_text(material.passages)}});
    out.push_back(std::move(message));
    return out;
  }
  for (const Message& earlier : material.history) {
    LlmMessage message;
    message.role = earlier.role == "tool" ? "user" : earlier.role;
    message.content = cut(earlier.content, kHistoryCharacters);
    out.push_back(std::move(message));
  }
  LlmMessage last;
  last.role = "user";
  last.content = material.query;
  out.push_back(std::move(last));
  return out;
}

}  // namespace signalbox

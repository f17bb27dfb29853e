#include "dispatch/answer_prompt.h"

#include <fmt/format.h>

#include "base/blanks.h"
#include "base/utf8.h"

namespace signalbox {
namespace {

constexpr std::size_t kLentCharacters = 2000;     // of one message a session lends
constexpr std::size_t kPassageCharacters = 2000;  // of one passage

std::string cut(std::string_view text, std::size_t characters) {
  const std::string_view kept = utf8_prefix(text, characters);
  return kept.size() == text.size() ? std::string(text) : std::string(kept) + " […]";
}

std::string history_text(const std::vector<Message>& history) {
  std::string out;
  for (const Message& message : history)
    out += fmt::format("{}: {}\n", message.role, cut(message.content, kLentCharacters));
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

void add_section(std::string& out, std::string_view title, std::string_view text) {
  if (!out.empty()) out += "\n\n";
  out += fmt::format("# {}\n{}", title, text);
}

}  // namespace

std::string system_prompt(const Route& route, const AnswerMaterial& material) {
  const auto has_place = [&](std::string_view name) {
    return route.prompt.find(name) != std::string::npos;
  };
  std::string out = route.prompt;
  if (route.prompt.find('{') != std::string::npos) {
    out = filled_blanks(
        route.prompt,
        {{"query", std::string(material.query)},
         {"history", has_place("{history}") ? history_text(material.history) : ""},
         {"extra_context",
          material.extra_context.empty() ? "(none given)" : std::string(material.extra_context)},
         {"passages", passages_text(material.passages)}});
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  if (!material.passages.empty() && !has_place("{passages}"))
    add_section(out, "Passages", passages_text(material.passages));
  if (!material.extra_context.empty() && !has_place("{extra_context}"))
    add_section(out, "Context", material.extra_context);
  return out;
}

std::vector<LlmMessage> answer_messages(std::string_view system, const std::vector<Message>& history,
                                        const Request& request) {
  std::vector<LlmMessage> out;
  const auto add = [&](std::string_view role, std::string_view content) -> LlmMessage& {
    LlmMessage& message = out.emplace_back();
    message.role = role;
    message.content = content;
    return message;
  };
  if (!system.empty()) add("system", system);
  // A tool's result without the call it answers is refused by most servers: it is told instead.
  for (const Message& earlier : history)
    add(earlier.role == "tool" ? "user" : earlier.role, earlier.content);
  LlmMessage& last = add("user", request.query);
  for (const Attachment& attachment : request.attachments) {
    if (!attachment.url.empty() && attachment.mime.starts_with("image/"))
      last.images.push_back(attachment.url);
  }
  return out;
}

std::vector<Message> lent_messages(std::vector<Message> messages) {
  for (Message& message : messages) message.content = cut(message.content, kLentCharacters);
  return messages;
}

}  // namespace signalbox

#include "context/session.h"

#include <algorithm>

#include "base/utf8.h"

namespace signalbox {
namespace {

template <typename Item>
void keep_last(std::vector<Item>& items, std::size_t count) {
  if (items.size() > count)
    items.erase(items.begin(), items.end() - static_cast<std::ptrdiff_t>(count));
}

std::size_t bytes_of(const std::vector<std::string>& texts) {
  std::size_t sum = 0;
  for (const std::string& text : texts) sum += text.size() + sizeof(std::string);
  return sum;
}

std::size_t bytes_of(const Plan& plan) {
  std::size_t sum = sizeof(Plan) + bytes_of(plan.suggested_tools) + bytes_of(plan.grep_keywords);
  for (const SubQuestion& question : plan.sub_questions)
    sum += question.semantic_intent.size() + question.search_keywords.size() + sizeof(question);
  for (const ToolCall& call : plan.tool_calls) {
    sum += sizeof(call) + bytes_of(call.after);
    for (const auto& [name, value] : call.arguments) sum += name.size() + value.size() + 64;
  }
  return sum;
}

}  // namespace

std::string bounded_text(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit - std::min(limit, kCutMark.size());
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)).append(kCutMark);
}

void Session::add_message(std::string role, std::string_view content) {
  messages.push_back({std::move(role), bounded_text(content, kMessageBytes)});
  keep_last(messages, kSessionMessages);
}

void Session::add_intent(std::string type, std::string_view query) {
  intents.push_back({std::move(type), std::string(utf8_prefix(query, kTopicCharacters))});
  keep_last(intents, kSessionIntents);
}

void Session::set_results(const std::vector<std::string>& items) {
  results.clear();
  for (const std::string& item : items) {
    if (results.size() == kSessionResults) break;
    results.push_back(bounded_text(item, kResultBytes));
  }
}

bool Session::set_app_state(std::string_view state) {
  if (state.size() > kAppStateBytes) return false;
  app_state = state;
  return true;
}

std::size_t Session::bytes() const {
  std::size_t sum = sizeof(Session) + app_state.size() + bytes_of(results) + bytes_of(parts);
  for (const Message& message : messages)
    sum += message.role.size() + message.content.size() + sizeof(message);
  for (const PastIntent& intent : intents)
    sum += intent.type.size() + intent.topic.size() + sizeof(intent);
  if (awaiting) sum += awaiting->text.size() + awaiting->query.size() + bytes_of(awaiting->options);
  if (plan) sum += bytes_of(*plan);
  return sum;
}

std::uint64_t next_version(const Session& session) {
  if (session.version > 0) return session.version + 1;
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(1, session.created.time_since_epoch().count()));
}

}  // namespace signalbox

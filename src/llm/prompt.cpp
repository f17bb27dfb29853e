#include "llm/prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "llm/quoting.h"
#include "profile/load_classifier.h"

namespace signalbox {
namespace {

constexpr std::size_t kMaxName = 120;     // characters of a table, column or signal
constexpr std::size_t kMaxMessage = 600;  // characters of an earlier message
constexpr std::size_t kMaxTables = 64;
constexpr std::size_t kMaxSignals = 64;
constexpr std::array<std::string_view, 8> kBlanks{"routes",   "few_shots", "history", "allowlist",
                                                  "evidence", "messages",  "query",   "candidates"};

bool is_blank(std::string_view name) {
  return std::find(kBlanks.begin(), kBlanks.end(), name) != kBlanks.end();
}

std::string routes_block(const Profile& profile) {
  std::string out;
  for (const Route& route : profile.routes)
    out += fmt::format("- {}: {}\n", route.name, route.description);
  return out;
}

std::string few_shots_block(std::span<const RouteExample> shots) {
  std::string out;
  for (const RouteExample& shot : shots) out += fmt::format("\"{}\" -> {}\n", shot.text, shot.route);
  return out;
}

std::string allowlist_block(const Request& request) {
  if (request.allowlist.empty()) return "(none)\n";
  std::string out;
  std::size_t lines = 0;
  for (const auto& [table, columns] : request.allowlist) {
    if (lines++ == kMaxTables) {
      out += fmt::format("(and {} more tables)\n", request.allowlist.size() - kMaxTables);
      break;
    }
    out += one_line(table, kMaxName) + "(";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) out += ", ";
      out += one_line(columns[i], kMaxName);
    }
    out += ")\n";
  }
  return out;
}

std::string messages_block(std::span<const Message> messages, std::size_t most) {
  if (messages.empty() || most == 0) return "(none)";
  std::string out;
  for (const Message& message : messages.last(std::min(most, messages.size()))) {
    out += message.role == "assistant" ? "assistant: " : "user: ";
    out += one_line(message.content, kMaxMessage) + "\n";
  }
  return fenced(out);
}

std::vector<std::string> images_of(const Request& request) {
  std::vector<std::string> out;
  for (const Attachment& attachment : request.attachments) {
    if (!attachment.url.empty()) out.push_back(attachment.url);
  }
  return out;
}

}  // namespace

PromptTemplate::PromptTemplate(const Profile& profile, std::string_view file,
                               std::span<const RouteExample> few_shots)
    : topic_(static_cast<std::size_t>(profile.classifier.topic)),
      messages_(static_cast<std::size_t>(profile.classifier.messages)) {
  std::vector<Piece> pieces(1);
  const std::size_t line = message_line(file);
  for (std::size_t at = 0; at < file.size();) {
    if (at == line) {
      system_ = std::move(pieces.back().text);
      pieces.assign(1, {});
      at = std::min(file.find('\n', at), file.size() - 1) + 1;
      continue;
    }
    const std::size_t close = file[at] == '{' ? file.find('}', at) : std::string_view::npos;
    const std::string_view name =
        close == std::string_view::npos ? "" : file.substr(at + 1, close - at - 1);
    if (!is_blank(name)) {
      pieces.back().text += file[at++];
      continue;
    }
    at = close + 1;
    if (name == "routes") {
      pieces.back().text += routes_block(profile);
    } else if (name == "few_shots") {
      pieces.back().text += few_shots_block(few_shots);
    } else {
      pieces.back().blank = name;
      pieces.emplace_back();
    }
  }
  user_ = std::move(pieces);
}

std::string PromptTemplate::filled(const PromptInputs& inputs, const std::string& blank) const {
  if (blank == "history") return history_block(inputs.request, inputs.history, topic_);
  if (blank == "allowlist") return allowlist_block(inputs.request);
  if (blank == "messages") return messages_block(inputs.messages, messages_);
  if (blank == "evidence") return std::string(inputs.evidence);
  if (blank == "candidates") return std::string(inputs.candidates);
  return blank == "query" ? fenced(utf8_prefix(inputs.query, kMaxPromptQuery)) : "";
}

std::vector<LlmMessage> PromptTemplate::build(const PromptInputs& inputs) const {
  std::vector<LlmMessage> out;
  if (!system_.empty()) out.push_back({"system", system_, {}, {}, {}});
  LlmMessage& message = out.emplace_back();
  message.role = "user";
  for (const Piece& piece : user_) {
    message.content += piece.text;
    message.content += filled(inputs, piece.blank);
  }
  message.images = images_of(inputs.request);
  return out;
}

std::size_t visible_history(const Profile& profile, const Request& request, bool refers) {
  if (!refers && !profile.session.always_history) return 0;
  return std::min(request.intent_history.size(), static_cast<std::size_t>(profile.classifier.history));
}

std::string history_block(const Request& request, std::size_t entries, std::size_t topic_characters) {
  const auto& history = request.intent_history;
  if (history.empty() || entries == 0) return "(no prior turns)";
  std::string out;
  for (std::size_t i = history.size() - std::min(entries, history.size()); i < history.size(); ++i) {
    if (!out.empty()) out += '\n';
    out += fmt::format("[{}] \"{}\"", one_line(history[i].type, kMaxName),
                       one_line(history[i].topic, topic_characters));
  }
  return out;
}

std::string evidence_block(const Decision& decision, const Request& request) {
  std::string out;
  for (std::size_t i = 0; i < std::min(decision.signals.size(), kMaxSignals); ++i)
    out += fmt::format("- {}\n", one_line(decision.signals[i], kMaxName));
  for (const auto& [name, value] : request.evidence) {
    if (const double* number = std::get_if<double>(&value))
      out += fmt::format("- {}: {}\n", one_line(name, kMaxName), *number);
  }
  return out.empty() ? "(none)\n" : out;
}

}  // namespace signalbox

#include "server/chat_body.h"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>

#include "base/utf8.h"
#include "wire/json_append.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr std::size_t kDepth = 64;  // a tool's schema may be deep

tl::unexpected<Error> wrong(std::string_view field, std::string_view expected) {
  return fail(ErrorCode::InvalidInput, fmt::format("{}: expected {}", field, expected));
}

std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

std::size_t skip_value(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    }
    if (depth == 0 && (c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t')) return at;
    ++at;
  }
  return at;
}

// What a part that is no text counts as; its bytes are the model's business.
const char* mime_of(std::string_view kind) {
  if (kind == "image_url") return "image/*";
  if (kind == "input_audio") return "audio/*";
  return kind == "file" ? "application/octet-stream" : nullptr;
}

// The text of a message: a string, or the text of its parts; other parts count as attachments.
Result<std::string> text_of(const json::value* content, Request& request) {
  if (!content || content->is_null()) return std::string();
  if (content->is_string()) return std::string(content->get_string());
  if (!content->is_array()) return wrong("messages.content", "a string or a list of parts");
  std::string out;
  for (const json::value& part : content->get_array()) {
    if (!part.is_object()) return wrong("messages.content", "a list of objects");
    const json::value* type = part.get_object().if_contains("type");
    if (!type || !type->is_string()) return wrong("messages.content.type", "a string");
    const std::string_view kind = type->get_string();
    if (kind == "text") {
      const json::value* text = part.get_object().if_contains("text");
      if (!text || !text->is_string()) return wrong("messages.content.text", "a string");
      if (!out.empty()) out += '\n';
      out += text->get_string();
    } else if (const char* mime = mime_of(kind)) {
      Attachment attachment;
      attachment.name = kind;
      attachment.mime = mime;
      request.attachments.push_back(std::move(attachment));
    }
  }
  return out;
}

bool is_system(std::string_view role) {
  return role == "system" || role == "developer";
}

// The last user message is the query; what stands before it is history, but for system messages: they
// are no part of the conversation. The result of a tool at the end makes it a tool loop.
Result<void> read_messages(const json::object& object, ChatBody& body) {
  const json::value* list = object.if_contains("messages");
  if (!list || !list->is_array() || list->get_array().empty())
    return wrong("messages", "a list with at least one message");
  Request& out = body.request;
  bool has_query = false;
  std::vector<Message> since;  // the last user message
  for (const json::value& item : list->get_array()) {
    if (!item.is_object()) return wrong("messages", "a list of objects");
    const json::object& message = item.get_object();
    const json::value* role = message.if_contains("role");
    if (!role || !role->is_string()) return wrong("messages.role", "a string");
    Request parts;
    auto text = text_of(message.if_contains("content"), parts);
    if (!text) return tl::unexpected(text.error());
    Message read{std::string(role->get_string()), *std::move(text)};
    if (is_system(read.role)) {
      if (!has_query && since.empty()) ++body.leading;
      continue;
    }
    if (read.role != "user") {
      since.push_back(std::move(read));
      continue;
    }
    if (has_query) out.history.push_back({"user", std::move(out.query)});
    std::move(since.begin(), since.end(), std::back_inserter(out.history));
    since.clear();
    has_query = true;
    out.query = std::move(read.content);
    out.attachments = std::move(parts.attachments);  // those of the query
  }
  if (!has_query) return wrong("messages", "a message of role user");
  if (!since.empty() && since.back().role == "tool") out.history.push_back(std::move(since.back()));
  return {};
}

Result<void> read_text(const json::object& object, std::string_view field, std::string& out) {
  const json::value* value = object.if_contains(field);
  if (!value || value->is_null()) return {};
  if (!value->is_string()) return wrong(field, "a string");
  out = value->get_string();
  return {};
}

Result<void> read_flag(const json::object& object, std::string_view field, bool& out) {
  const json::value* value = object.if_contains(field);
  if (!value || value->is_null()) return {};
  if (!value->is_bool()) return wrong(field, "true or false");
  out = value->get_bool();
  return {};
}

// The member `signalbox`: fields of /v1/route that a chat message cannot say, and `decision`.
Result<void> read_extension(const json::object& object, ChatBody& out) {
  const json::value* own = object.if_contains("signalbox");
  if (!own || own->is_null()) return {};
  if (!own->is_object()) return wrong("signalbox", "an object");
  json::object fields = own->get_object();
  if (auto done = read_flag(fields, "decision", out.wants_decision); !done) return done;
  if (auto done = read_flag(fields, "decision_first", out.wants_decision_first); !done) return done;
  for (const char* ours : {"decision", "decision_first"}) fields.erase(ours);
  for (const char* taken : {"query", "history"}) {
    if (fields.contains(taken))
      return fail(ErrorCode::InvalidInput, fmt::format("signalbox.{}: comes from messages", taken));
  }
  fields["query"] = out.request.query;
  auto read = request_from_json(fields);
  if (!read) return fail(read.error().code, "signalbox." + read.error().message);
  read->history = std::move(out.request.history);
  read->attachments.insert(read->attachments.end(), out.request.attachments.begin(),
                           out.request.attachments.end());
  out.request = *std::move(read);
  return {};
}

Result<void> read_metadata(const json::object& object, ChatBody& out) {
  if (const json::value* user = object.if_contains("user"); user && user->is_string())
    out.request.metadata["user"] = user->get_string();
  const json::value* metadata = object.if_contains("metadata");
  if (!metadata || !metadata->is_object()) return {};
  for (const auto& [name, value] : metadata->get_object()) {
    if (!value.is_string()) continue;
    if (name == "session_id" && out.request.session_id.empty())
      out.request.session_id = value.get_string();
    out.request.metadata.try_emplace(std::string(name), value.get_string());
  }
  return {};
}

Result<json::object> parse(std::string_view text) {
  if (find_invalid_utf8(text)) return fail(ErrorCode::InvalidInput, "not JSON: not UTF-8");
  boost::system::error_code ec;
  json::parse_options options;
  options.max_depth = kDepth;
  json::value value = json::parse(text, ec, {}, options);
  if (ec) return fail(ErrorCode::InvalidInput, "not JSON: " + ec.message());
  if (!value.is_object()) return fail(ErrorCode::InvalidInput, "expected a JSON object");
  return std::move(value.get_object());
}

void append_message(std::string& out, std::string_view role, std::string_view content) {
  out += "{\"role\":";
  append_json_string(out, role);
  out += ",\"content\":";
  append_json_string(out, content);
  out += "},";
}

}  // namespace

std::vector<JsonMember> top_members(std::string_view object) {
  std::vector<JsonMember> out;
  std::size_t at = skip_blanks(object, 0) + 1;
  for (;;) {
    at = skip_blanks(object, at);
    if (at >= object.size() || object[at] != '"') return out;
    JsonMember member;
    member.begin = at;
    const std::size_t name_end = skip_string(object, at);
    member.name = object.substr(at + 1, name_end - at - 2);
    at = skip_blanks(object, name_end);
    member.value = skip_blanks(object, at + 1);
    member.end = skip_value(object, member.value);
    out.push_back(member);
    at = skip_blanks(object, member.end);
    if (at >= object.size() || object[at] != ',') return out;
    ++at;
  }
}

Result<void> read_chat_body(std::string_view text, ChatBody& out) {
  auto object = parse(text);
  if (!object) return tl::unexpected(object.error());
  out.text = text;
  out.members = top_members(out.text);
  // Fewer members in the tree than in the text: one name stood twice, perhaps spelt with escapes.
  if (out.members.size() != object->size())
    return fail(ErrorCode::InvalidInput, "a member of the body stands twice");
  for (const JsonMember& member : out.members) {
    if (member.name.find('\\') != std::string_view::npos)
      return fail(ErrorCode::InvalidInput, "a member's name is written with escapes");
  }
  Result<void> done = read_text(*object, "model", out.model);
  if (done) done = read_flag(*object, "stream", out.is_stream);
  if (done) done = read_messages(*object, out);
  if (done) done = read_extension(*object, out);
  if (done) done = read_metadata(*object, out);
  return done;
}

std::string upstream_chat_body(const ChatBody& body, std::string_view model, std::string_view system,
                               const std::vector<Message>& lent) {
  std::string out = "{\"model\":";
  append_json_string(out, model);
  for (const JsonMember& member : body.members) {
    if (member.name == "model" || member.name == "signalbox") continue;
    out += ',';
    if (member.name != "messages" || (system.empty() && lent.empty())) {
      out.append(body.text, member.begin, member.end - member.begin);
      continue;
    }
    out += "\"messages\":[";
    if (!system.empty()) append_message(out, "system", system);
    std::size_t at = skip_blanks(body.text, member.value + 1);
    for (std::size_t i = 0; i < body.leading && !lent.empty(); ++i) {
      const std::size_t end = skip_value(body.text, at);
      out.append(body.text, at, end - at);
      out += ',';
      at = skip_blanks(body.text, skip_blanks(body.text, end) + 1);
    }
    for (const Message& earlier : lent)  // a tool's result without its call would be refused
      append_message(out, earlier.role == "tool" ? "user" : earlier.role, earlier.content);
    out.append(body.text, at, member.end - at);
  }
  return out + "}";
}

}  // namespace signalbox

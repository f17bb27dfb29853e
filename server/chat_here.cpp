#include "server/chat_here.h"

#include <boost/json.hpp>
#include <stop_token>

#include "server/api.h"
#include "server/chat_forward.h"
#include "server/chat_shape.h"

namespace signalbox {
namespace {

namespace json = boost::json;

std::string text_of(const json::value* value) {
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

// A message's text; parts that are no text are not for these models.
std::string content_of(const json::object& message) {
  const json::value* content = message.if_contains("content");
  if (!content || !content->is_array()) return text_of(content);
  std::string out;
  for (const json::value& part : content->get_array()) {
    if (!part.is_object()) continue;
    const std::string text = text_of(part.get_object().if_contains("text"));
    if (!out.empty() && !text.empty()) out += '\n';
    out += text;
  }
  return out;
}

LlmToolCall call_of(const json::value& value) {
  LlmToolCall call;
  if (!value.is_object()) return call;
  call.id = text_of(value.get_object().if_contains("id"));
  const json::value* function = value.get_object().if_contains("function");
  if (!function || !function->is_object()) return call;
  call.name = text_of(function->get_object().if_contains("name"));
  call.arguments = text_of(function->get_object().if_contains("arguments"));
  return call;
}

// The caller's messages as they came, behind the route's prompt and what the session lends.
std::vector<LlmMessage> messages_of(const PreparedAnswer& prepared, const json::object& body) {
  std::vector<LlmMessage> out;
  const auto add = [&](std::string role, std::string content) -> LlmMessage& {
    LlmMessage& message = out.emplace_back();
    message.role = role == "developer" ? "system" : std::move(role);
    message.content = std::move(content);
    return message;
  };
  if (!prepared.system.empty()) add("system", prepared.system);
  bool is_lent = false;
  for (const json::value& item : body.at("messages").as_array()) {
    const json::object& given = item.as_object();
    const std::string role = text_of(given.if_contains("role"));
    if (!is_lent && role != "system" && role != "developer") {
      is_lent = true;
      for (const Message& earlier : prepared.lent)
        add(earlier.role == "tool" ? "user" : earlier.role, earlier.content);
    }
    LlmMessage& message = add(role, content_of(given));
    message.tool_call_id = text_of(given.if_contains("tool_call_id"));
    const json::value* calls = given.if_contains("tool_calls");
    if (!calls || !calls->is_array()) continue;
    for (const json::value& call : calls->get_array()) message.tool_calls.push_back(call_of(call));
  }
  return out;
}

void add_tools(const json::object& body, LlmRequest& out) {
  const json::value* tools = body.if_contains("tools");
  if (tools && tools->is_array()) {
    for (const json::value& tool : tools->get_array()) {
      const json::value* function =
          tool.is_object() ? tool.get_object().if_contains("function") : nullptr;
      if (!function || !function->is_object()) continue;
      const json::object& it = function->get_object();
      const json::value* parameters = it.if_contains("parameters");
      out.tools.push_back({text_of(it.if_contains("name")), text_of(it.if_contains("description")),
                           parameters ? json::serialize(*parameters) : "{}"});
    }
  }
  const json::value* choice = body.if_contains("tool_choice");
  if (choice && choice->is_object()) out.tool_choice = call_of(*choice).name;
  if (text_of(choice) == "none") out.tools.clear();
}

void add_schema(const json::object& body, LlmRequest& out) {
  const json::value* format = body.if_contains("response_format");
  if (!format || !format->is_object()) return;
  const json::value* wanted = format->get_object().if_contains("json_schema");
  if (!wanted || !wanted->is_object()) return;
  if (const json::value* schema = wanted->get_object().if_contains("schema"))
    out.json_schema = json::serialize(*schema);
}

// What the caller asks for beyond the messages, where a model here can do it.
void add_wishes(const json::object& body, LlmRequest& out) {
  const auto number = [&](std::string_view name) -> std::optional<double> {
    const json::value* value = body.if_contains(name);
    if (!value || !value->is_number()) return std::nullopt;
    return value->to_number<double>();
  };
  if (const auto wanted = number("temperature")) out.temperature = std::clamp(*wanted, 0.0, 2.0);
  for (const char* name : {"max_tokens", "max_completion_tokens"}) {
    if (const auto wanted = number(name))
      out.max_tokens = static_cast<int>(std::clamp(*wanted, 1.0, 1e6));
  }
  if (const auto seed = number("seed"); seed && *seed >= 0 && *seed < 9e15)
    out.seed = static_cast<std::uint64_t>(*seed);
  add_tools(body, out);
  add_schema(body, out);
}

bool wants_usage(const json::object& body) {
  const json::value* options = body.if_contains("stream_options");
  if (!options || !options->is_object()) return false;
  const json::value* wanted = options->get_object().if_contains("include_usage");
  return wanted && wanted->is_bool() && wanted->get_bool();
}

std::string decision_chunk(const ChatHere& chat, const ChatShape& shape) {
  if (chat.decision.empty()) return {};
  return decision_event(chat.decision, chat.prepared.decision.profile, shape.created());
}

void begin_stream(const ChatHere& chat, const ChatShape& shape, std::string_view first) {
  ServerReply head;
  head.fields = chat.fields;
  head.content_type = "text/event-stream";
  head.add_header("cache-control", "no-cache");
  if (chat.body.wants_decision_first) head.body = decision_chunk(chat, shape);
  head.body += first;
  chat.answer.begin(head);
}

void end_stream(const ChatHere& chat, const ChatShape& shape, const GeneratedAnswer& made,
                bool with_usage) {
  std::string out = shape.last(made, with_usage);
  if (!chat.body.wants_decision_first) out += decision_chunk(chat, shape);
  out += "data: [DONE]\n\n";
  chat.answer.write(out);
  chat.answer.end();
}

void send_whole(const ChatHere& chat, const ChatShape& shape, const GeneratedAnswer& made) {
  ServerReply reply;
  reply.fields = chat.fields;
  reply.body = shape.whole(made);
  if (!chat.decision.empty()) reply.body = with_decision(std::move(reply.body), chat.decision);
  chat.answer.send(reply);
}

}  // namespace

void give_text(const ChatHere& chat) {
  const auto made = chat.answerer.generate(chat.prepared, {});
  const ChatShape shape(chat.prepared.decision.profile);
  if (!chat.body.is_stream) return send_whole(chat, shape, *made);
  begin_stream(chat, shape, shape.first() + shape.piece(made->text));
  end_stream(chat, shape, *made, false);
}

int give_model_answer(const ChatHere& chat) {
  const json::object body = json::parse(chat.body.text).as_object();  // read once already: it parses
  LlmRequest question = chat.answerer.question(chat.body.request, chat.prepared);
  question.messages = messages_of(chat.prepared, body);
  add_wishes(body, question);
  auto stop = std::make_shared<std::stop_source>();
  question.cancel = stop->get_token();
  chat.answer.call_when_gone([stop] { stop->request_stop(); });
  const ChatShape shape(chat.prepared.decision.model.name);
  bool has_begun = false;
  TextSink sink;
  if (chat.body.is_stream) {
    sink = [&](std::string_view piece) {
      if (!std::exchange(has_begun, true)) begin_stream(chat, shape, shape.first());
      return chat.answer.write(shape.piece(piece));
    };
  }
  const auto made = chat.answerer.generate(chat.prepared, question, sink);
  if (chat.answer.is_gone()) return 0;
  if (!made) {
    if (has_begun) {
      chat.answer.abort();  // half an answer must not look whole
      return 502;
    }
    ServerReply reply;
    refuse(reply, made.error());
    if (!chat.decision.empty()) reply.body = with_decision(std::move(reply.body), chat.decision);
    reply.fields += chat.fields;
    chat.answer.send(reply);
    return reply.status;
  }
  if (!chat.body.is_stream) {
    send_whole(chat, shape, *made);
    return 200;
  }
  if (!has_begun) begin_stream(chat, shape, shape.first());
  end_stream(chat, shape, *made, wants_usage(body));
  return 200;
}

}  // namespace signalbox

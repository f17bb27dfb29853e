// POST /v1/chat/completions: route, then ask back or pass on to the model behind the route.

#include <fmt/format.h>

#include <chrono>

#include "net/asio_http_client.h"
#include "server/api.h"
#include "server/chat_body.h"
#include "server/chat_forward.h"
#include "server/upstream.h"
#include "wire/decision_text.h"
#include "wire/json_append.h"
#include "wire/request_text.h"

namespace signalbox {
namespace {

// One chat between its arrival and its answer.
struct Chat {
  std::shared_ptr<const ServedFleet> fleet;
  const ServedProfile* served = nullptr;
  ChatBody body;
  std::shared_ptr<void> ticket;
  std::shared_ptr<ServerAnswer> answer;
  std::string caller;
  std::string traceparent;
  std::string id;  // of the decision
};

void add_decision_headers(ServerReply& reply, const Decision& d, const std::string& id) {
  reply.add_header("x-signalbox-id", id);
  reply.add_header("x-signalbox-profile", d.profile);
  reply.add_header("x-signalbox-route", d.route ? *d.route : "");
  reply.add_header("x-signalbox-tier", tier_name(d.tier));
  reply.add_header("x-signalbox-decided-by", decided_by_name(d.decided_by));
  reply.add_header("x-signalbox-confidence", fmt::format("{:.4f}", d.confidence));
  if (!d.rule.empty()) reply.add_header("x-signalbox-rule", d.rule);
  if (!d.model.slot.empty()) reply.add_header("x-signalbox-slot", d.model.slot);
  if (!d.session_id.empty()) reply.add_header("x-signalbox-session", d.session_id);
  reply.add_header("x-signalbox-elapsed-us", std::to_string(d.elapsed_us));
}

std::int64_t now_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void append_chunk_head(std::string& out, std::string_view kind, std::string_view model) {
  static std::atomic<std::uint64_t> number{0};
  out += fmt::format(R"({{"id":"chatcmpl-signalbox-{}-{}","object":"{}","created":{},"model":)",
                     now_seconds(), ++number, kind, now_seconds());
  append_json_string(out, model);
}

constexpr std::string_view kNoUsage =
    R"("usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0})";

// The question itself, as the assistant's message.
void ask_back(ServerAnswer& answer, const Chat& chat, const Decision& decision,
              const std::string& json) {
  ServerReply reply;
  add_decision_headers(reply, decision, chat.id);
  std::string& out = reply.body;
  const std::string model = decision.profile;
  if (!chat.body.is_stream) {
    append_chunk_head(out, "chat.completion", model);
    out += R"(,"choices":[{"index":0,"message":{"role":"assistant","content":)";
    append_json_string(out, decision.ask->text);
    out += R"(},"finish_reason":"stop","logprobs":null}],)";
    out += kNoUsage;
    out += '}';
    if (chat.body.wants_decision) out = with_decision(std::move(out), json);
    answer.send(reply);
    return;
  }
  reply.content_type = "text/event-stream";
  out += "data: ";
  append_chunk_head(out, "chat.completion.chunk", model);
  out += R"(,"choices":[{"index":0,"delta":{"role":"assistant","content":)";
  append_json_string(out, decision.ask->text);
  out += "},\"finish_reason\":null}]}\n\ndata: ";
  append_chunk_head(out, "chat.completion.chunk", model);
  out += ",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  if (chat.body.wants_decision) out += decision_event(json, model, now_seconds());
  out += "data: [DONE]\n\n";
  answer.begin(reply);
  answer.end();
}

void replace_all(std::string& text, std::string_view mark, std::string_view with) {
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

// The route's own prompt. The conversation itself follows as messages, so the prompt only points to it.
std::string system_prompt(const Chat& chat, const Decision& decision) {
  const Route* route =
      decision.route ? chat.served->router->profile().find_route(*decision.route) : nullptr;
  if (!route || route->prompt.empty()) return {};
  std::string text = route->prompt;
  const Request& request = chat.body.request;
  replace_all(text, "{extra_context}",
              request.extra_context.empty() ? "(none)" : request.extra_context);
  replace_all(text, "{passages}", "(none)");
  replace_all(text, "{history}", "(the messages that follow)");
  replace_all(text, "{query}", "(the user's last message)");
  return text;
}

}  // namespace

void Api::chat(Call& call) {
  auto chat = std::make_shared<Chat>();
  if (auto read = read_chat_body(call.request.body, chat->body); !read)
    return refuse(call.reply, read.error());
  Request& request = chat->body.request;
  if (const std::string_view session = call.request.header("x-signalbox-session");
      !session.empty() && request.session_id.empty()) {
    request.session_id = session;
  }
  chat->fleet = parts_.fleet.get();
  const std::string& model = chat->body.model;
  std::string wanted = model.empty() || model == "auto" ? request.profile : model;
  chat->served = chat->fleet->find(wanted);
  if (!chat->served) {
    return refuse(call.reply, 404, "model_not_found",
                  fmt::format("model: there is no profile '{}' here; `auto` is the usual one", wanted));
  }
  chat->ticket = call.ticket;
  if (call.caller) chat->caller = call.caller->line.name;
  chat->traceparent = call.request.header("traceparent");
  chat->answer = call.later.take();
  const auto serve = [this, chat] {
    const auto decision = chat->served->router->route(chat->body.request);
    if (!decision) {
      ServerReply reply;
      refuse(reply, decision.error());
      return chat->answer->send(reply);
    }
    std::string json;
    if (chat->body.wants_decision || parts_.recorder.wants_text()) append_decision(json, *decision);
    chat->id = parts_.recorder.record(
        *chat->served, *decision, parts_.recorder.wants_text() ? request_text(chat->body.request) : "",
        json, chat->caller, chat->traceparent);
    if (!chat->body.wants_decision) json.clear();
    if (decision->ask) return ask_back(*chat->answer, *chat, *decision, json);
    ServerReply head;
    add_decision_headers(head, *decision, chat->id);
    pass_on(chat->served->router->profile(), *decision, chat->body, system_prompt(*chat, *decision),
            std::move(json), std::move(head), chat->answer, chat);
  };
  const bool waits_for_store = !request.session_id.empty() && !parts_.has_quick_sessions;
  if (!chat->served->may_wait && !waits_for_store) return serve();
  if (parts_.pool.submit(serve)) return;
  refuse(call.reply, {ErrorCode::Overloaded, "too many requests wait for a model: try again"});
  chat->answer->send(call.reply);
}

void Api::pass_on(const Profile& profile, const Decision& decision, const ChatBody& body,
                  const std::string& system, std::string json, ServerReply head,
                  const std::shared_ptr<ServerAnswer>& answer, std::shared_ptr<void> keep) {
  const auto upstream = upstream_for(profile, decision.model.slot);
  if (!upstream) {
    ServerReply reply;
    refuse(reply, 503, "no_model", upstream.error().message);
    reply.fields += head.fields;
    return answer->send(reply);
  }
  ForwardJob job;
  job.request.method = "POST";
  job.request.url = upstream->url;
  job.request.headers = {{"content-type", "application/json"},
                         {"accept", body.is_stream ? "text/event-stream" : "application/json"}};
  if (!upstream->key.empty())
    job.request.headers.push_back({"authorization", "Bearer " + upstream->key});
  job.request.body =
      upstream_chat_body(body, upstream->model.empty() ? "default" : upstream->model, system);
  job.request.idle_timeout = std::chrono::minutes(2);
  job.answer = answer;
  job.is_stream = body.is_stream;
  head.add_header("x-signalbox-model", upstream->model);
  job.fields = std::move(head.fields);
  job.decision = std::move(json);
  job.model = upstream->model;
  job.done = [this, keep = std::move(keep), slot = decision.model.slot,
              start = std::chrono::steady_clock::now()](int status) {
    const std::string labels =
        label("status", status == 0 ? "client_left" : std::to_string(status), label("slot", slot));
    parts_.metrics.observe(
        parts_.metrics.histogram("signalbox_upstream_seconds",
                                 "Time of a chat passed on to a model server.", labels),
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start)
            .count());
  };
  forward_chat(parts_.http, std::move(job));
}

}  // namespace signalbox

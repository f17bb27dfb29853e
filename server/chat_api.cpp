// POST /v1/chat/completions: prepare, then ask back, let an app answer, or stream from the model behind
// the route, in this program or on another server.

#include <fmt/format.h>

#include <chrono>

#include "net/asio_http_client.h"
#include "server/api.h"
#include "server/chat_body.h"
#include "server/chat_forward.h"
#include "server/chat_here.h"
#include "server/upstream.h"
#include "wire/decision_text.h"
#include "wire/request_text.h"

namespace signalbox {
namespace {

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

}  // namespace

// One chat between its arrival and its answer.
struct Api::Chat {
  std::shared_ptr<const ServedFleet> fleet;
  const ServedProfile* served = nullptr;
  ChatBody body;
  std::shared_ptr<void> ticket;
  std::shared_ptr<ServerAnswer> answer;
  std::string caller;
  std::string traceparent;
  PreparedAnswer prepared;
};

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
  const bool waits_for_store = !request.session_id.empty() && !parts_.has_quick_sessions;
  if (!chat->served->may_wait && !chat->served->answer_waits && !waits_for_store)
    return serve_chat(chat);
  if (parts_.pool.submit([this, chat] { serve_chat(chat); })) return;
  refuse(call.reply, {ErrorCode::Overloaded, "too many requests wait for a model: try again"});
  chat->answer->send(call.reply);
}

void Api::serve_chat(const std::shared_ptr<Chat>& chat) {
  auto prepared = chat->served->answerer->prepare(chat->body.request);
  if (!prepared) {
    ServerReply reply;
    refuse(reply, prepared.error());
    return chat->answer->send(reply);
  }
  chat->prepared = *std::move(prepared);
  const Decision& decision = chat->prepared.decision;
  std::string json;
  if (chat->body.wants_decision || parts_.recorder.wants_text()) append_decision(json, decision);
  const std::string id = parts_.recorder.record(
      *chat->served, decision, parts_.recorder.wants_text() ? request_text(chat->body.request) : "",
      json, chat->caller, chat->traceparent);
  if (!chat->body.wants_decision) json.clear();
  ServerReply head;
  add_decision_headers(head, decision, id);
  const ChatHere here{*chat->served->answerer, chat->prepared,         chat->body,
                      *chat->answer,           std::move(head.fields), std::move(json)};
  if (!chat->prepared.text.empty() && !chat->prepared.lacks_model) return give_text(here);
  const auto upstream = upstream_for(chat->served->router->profile(), decision.model.slot);
  if (!upstream) {
    ServerReply reply;
    refuse(reply, 503, "no_model", upstream.error().message);
    if (!here.decision.empty()) reply.body = with_decision(std::move(reply.body), here.decision);
    reply.fields += here.fields;
    return chat->answer->send(reply);
  }
  if (!upstream->is_here) return pass_on(chat, *upstream, here.decision, here.fields);
  const TimePoint start = std::chrono::steady_clock::now();
  count_upstream(decision.model.slot, give_model_answer(here), start);
}

void Api::pass_on(const std::shared_ptr<Chat>& chat, const Upstream& upstream, std::string json,
                  std::string fields) {
  const ChatBody& body = chat->body;
  ForwardJob job;
  job.request.method = "POST";
  job.request.url = upstream.url;
  job.request.headers = {{"content-type", "application/json"},
                         {"accept", body.is_stream ? "text/event-stream" : "application/json"}};
  if (!upstream.key.empty()) job.request.headers.push_back({"authorization", "Bearer " + upstream.key});
  job.request.body = upstream_chat_body(body, upstream.model.empty() ? "default" : upstream.model,
                                        chat->prepared.system, chat->prepared.lent);
  job.request.idle_timeout = std::chrono::minutes(2);
  job.answer = chat->answer;
  job.is_stream = body.is_stream;
  job.is_decision_first = body.wants_decision_first;
  ServerReply head;
  head.fields = std::move(fields);
  head.add_header("x-signalbox-model", upstream.model);
  job.fields = std::move(head.fields);
  job.decision = std::move(json);
  job.model = upstream.model;
  if (!body.request.session_id.empty()) {
    job.keep = [this, chat](std::string text, std::function<void()> then) {
      const auto keep = [chat, text = std::move(text), then] {
        chat->served->answerer->remember(chat->prepared, text);
        then();
      };
      // A full queue: this once the I/O thread waits for the store, so that nothing is forgotten.
      if (parts_.has_quick_sessions || !parts_.pool.submit(keep)) keep();
    };
  }
  job.done = [this, chat, start = std::chrono::steady_clock::now()](int status) {
    count_upstream(chat->prepared.decision.model.slot, status, start);
  };
  forward_chat(parts_.http, std::move(job));
}

void Api::count_upstream(const std::string& slot, int status, TimePoint start) {
  const std::string labels =
      label("status", status == 0 ? "client_left" : std::to_string(status), label("slot", slot));
  parts_.metrics.observe(
      parts_.metrics.histogram("signalbox_upstream_seconds", "Time of a chat that a model answers.",
                               labels),
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start)
          .count());
}

}  // namespace signalbox

#include "wire/request_text.h"

#include <boost/json.hpp>

#include "wire/json_text.h"

namespace signalbox {
namespace {

namespace json = boost::json;

const char* kind_name(AwaitKind kind) {
  switch (kind) {
    case AwaitKind::Confirm:
      return "confirm";
    case AwaitKind::Clarify:
      return "clarify";
    case AwaitKind::Choose:
      return "choose";
    case AwaitKind::Fill:
      return "fill";
  }
  return "clarify";
}

void add_lists(json::object& out, const Request& request) {
  json::array history;
  for (const Message& message : request.history)
    history.push_back({{"role", message.role}, {"content", message.content}});
  if (!history.empty()) out["history"] = std::move(history);
  json::array intents;
  for (const PastIntent& intent : request.intent_history)
    intents.push_back({{"type", intent.type}, {"topic", intent.topic}});
  if (!intents.empty()) out["intent_history"] = std::move(intents);
  json::array attachments;
  for (const Attachment& one : request.attachments) {
    json::object made{{"name", one.name}, {"mime", one.mime}, {"text", one.text}};
    if (!one.url.empty()) made["url"] = one.url;
    attachments.push_back(std::move(made));
  }
  if (!attachments.empty()) out["attachments"] = std::move(attachments);
}

void add_maps(json::object& out, const Request& request) {
  json::object allowlist;
  for (const auto& [table, columns] : request.allowlist) allowlist[table] = json::value_from(columns);
  if (!allowlist.empty()) out["allowlist"] = std::move(allowlist);
  json::object evidence;
  for (const auto& [name, value] : request.evidence)
    std::visit([&, &key = name](const auto& held) { evidence[key] = held; }, value);
  if (!evidence.empty()) out["evidence"] = std::move(evidence);
  json::object metadata;
  for (const auto& [name, value] : request.metadata) metadata[name] = value;
  if (!metadata.empty()) out["metadata"] = std::move(metadata);
}

}  // namespace

std::string request_text(const Request& request) {
  json::object out{{"query", request.query}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) out[name] = text;
  };
  add("profile", request.profile);
  add("session_id", request.session_id);
  add("route", request.route);
  add("active_app", request.active_app);
  add("extra_context", request.extra_context);
  boost::system::error_code ec;
  if (!request.app_state.empty()) {
    json::value state = json::parse(request.app_state, ec);
    if (!ec) out["app_state"] = std::move(state);
  }
  if (request.awaiting) {
    json::object awaiting{{"kind", kind_name(request.awaiting->kind)},
                          {"text", request.awaiting->text},
                          {"options", json::value_from(request.awaiting->options)}};
    if (!request.awaiting->query.empty()) awaiting["query"] = request.awaiting->query;
    if (!request.awaiting->route.empty()) awaiting["route"] = request.awaiting->route;
    out["awaiting"] = std::move(awaiting);
  }
  if (!request.results.empty()) out["results"] = json::value_from(request.results);
  add_lists(out, request);
  add_maps(out, request);
  if (request.deadline_ms > 0) out["deadline_ms"] = request.deadline_ms;
  return json_text(out);
}

}  // namespace signalbox

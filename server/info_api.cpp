// What the server says about itself: models, profiles, health, metrics, its own description.

#include <fmt/format.h>

#include <iterator>

#include "llm/slots.h"
#include "server/api.h"
#include "server/embedded.h"
#include "wire/json_append.h"

namespace signalbox {
namespace {

void append_model(std::string& out, std::string_view id, std::int64_t created) {
  out += out.back() == '[' ? "{" : ",{";
  out += "\"id\":";
  append_json_string(out, id);
  out += ",\"object\":\"model\",\"created\":";
  append_json_number(out, created);
  out += ",\"owned_by\":\"signalbox\"}";
}

const char* reach_name(Reach reach) {
  return reach == Reach::Reachable     ? "reachable"
         : reach == Reach::Unreachable ? "unreachable"
                                       : "unknown";
}

// The models the profiles' slots are bound to, as they were found last; a look is begun where that was
// long ago. A model that is away keeps nobody from routing.
void append_slots(std::string& out, const ServedFleet& fleet) {
  out += ",\"slots\":[";
  for (const ServedProfile& served : fleet.profiles) {
    const auto slots = SlotClient::bind(served.router->profile());
    if (!slots || !*slots) continue;
    (*slots)->refresh();
    for (const SlotStatus& slot : (*slots)->status()) {
      const auto field = [&](std::string_view name, std::string_view value) {
        out += name;
        append_json_string(out, value);
      };
      out += out.back() == '[' ? "{" : ",{";
      field("\"profile\":", served.router->profile().name);
      field(",\"slot\":", slot.slot);
      field(",\"model\":", slot.model);
      field(",\"state\":", reach_name(slot.state.reach));
      field(",\"breaker\":", breaker_state_name(slot.state.breaker));
      field(",\"problem\":", slot.state.problem);
      out += '}';
    }
  }
  out += ']';
}

const char* mode_name(Mode mode) {
  return mode == Mode::Cascade ? "cascade" : mode == Mode::LlmFirst ? "llm_first" : "local";
}

void append_thresholds(std::string& out, const Profile& profile) {
  const auto number = [&](std::string_view name, double value) {
    out += name;
    append_json_number(out, value);
  };
  number(",\"thresholds\":{\"clear\":", profile.thresholds.clear);
  number(",\"confirm\":", profile.thresholds.confirm);
  number(",\"guess\":", profile.thresholds.guess);
  number(",\"multi_intent\":", profile.thresholds.multi_intent);
  number(",\"accept\":", profile.gatekeeper.accept);
  out += '}';
}

}  // namespace

// "auto" and every profile: what a client may give as `model`.
void Api::models(Call& call) {
  const auto& fleet = parts_.fleet.get();
  std::string& out = call.reply.body;
  out += R"({"object":"list","data":[)";
  append_model(out, "auto", fleet->loaded_at);
  for (const ServedProfile& served : fleet->profiles) append_model(out, served.name, fleet->loaded_at);
  out += "]}";
}

void Api::profiles(Call& call) {
  std::string& out = call.reply.body;
  out += R"({"profiles":[)";
  for (const ServedProfile& served : parts_.fleet.get()->profiles) {
    const Profile& profile = served.router->profile();
    out += out.back() == '[' ? "{" : ",{";
    out += "\"profile\":";
    append_json_string(out, served.name);
    fmt::format_to(std::back_inserter(out), R"(,"version":"{:016x}","mode":"{}")", profile.hash,
                   mode_name(profile.mode));
    out += ",\"description\":";
    append_json_string(out, profile.description);
    append_thresholds(out, profile);
    out += ",\"routes\":[";
    for (const Route& route : profile.routes) {
      out += out.back() == '[' ? "{" : ",{";
      out += "\"name\":";
      append_json_string(out, route.name);
      out += ",\"description\":";
      append_json_string(out, route.description);
      out += '}';
    }
    out += "],\"databases\":[";
    for (const DatabaseSettings& database : profile.databases) {
      if (database.address.empty()) continue;  // not connected
      out += out.back() == '[' ? "" : ",";
      append_json_string(out, database.name);
    }
    out += "],\"contract\":[";
    const auto counts = served.router->violation_counts();
    for (const ContractRule& rule : profile.contract) {
      out += out.back() == '[' ? "{" : ",{";
      out += "\"id\":";
      append_json_string(out, rule.id);
      out += ",\"text\":";
      append_json_string(out, rule.text);
      out += ",\"violations\":";
      append_json_number(out, static_cast<std::int64_t>(counts.at(rule.id)));
      out += '}';
    }
    out += "]}";
  }
  out += "]}";
}

void Api::healthz(Call& call) {
  call.reply.body = R"({"status":"ok"})";
}

void Api::readyz(Call& call) {
  const auto& fleet = parts_.fleet.get();
  if (!fleet) return refuse(call.reply, {ErrorCode::Overloaded, "the profiles are still being loaded"});
  call.reply.body = R"({"status":"ready","profiles":)";
  append_json_number(call.reply.body, static_cast<std::int64_t>(fleet->profiles.size()));
  call.reply.body += ",\"loaded_at\":";
  append_json_number(call.reply.body, fleet->loaded_at);
  append_slots(call.reply.body, *fleet);
  call.reply.body += '}';
}

void Api::metrics(Call& call) {
  call.reply.content_type = "text/plain; version=0.0.4; charset=utf-8";
  call.reply.body = parts_.metrics.text();
}

void Api::openapi_yaml(Call& call) {
  call.reply.content_type = "application/yaml";
  call.reply.body = kOpenApiYaml;
}

void Api::openapi_json(Call& call) {
  static const std::string text = openapi_as_json();
  call.reply.body = text;
}

}  // namespace signalbox

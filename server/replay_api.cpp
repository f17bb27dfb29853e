// POST /v1/decisions/{id}/replay and GET /v1/drift: what the log says about today's profiles.

#include "record/log_search.h"
#include "record/replay.h"
#include "server/api.h"
#include "wire/json_append.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

const Error kNoLog{ErrorCode::NotFound,
                   "decisions are not kept here: start the server with --log FILE"};

// Routers like those that serve, but with the clock, models, passages and memory of the replay.
OpenForReplay open_from(const ServedFleet& fleet) {
  return [&fleet](const std::string& name, RouterOptions with) -> Result<std::unique_ptr<Router>> {
    const ServedProfile* served = fleet.find(name);
    if (!served) return fail(ErrorCode::NotFound, "profile: there is no profile '" + name + "' here");
    const RouterOptions& own = served->router->options();
    with.gate = own.gate;
    with.encoder = own.encoder;
    with.disabled_steps = own.disabled_steps;
    return Router::create(std::make_shared<const Profile>(served->router->profile()), std::move(with));
  };
}

void append_replayed(std::string& out, const LoggedDecision& logged, const ReplayedRow& row) {
  const auto text = [&](std::string_view name, std::string_view value) {
    out += name;
    append_json_string(out, value);
  };
  text("{\"id\":", row.id);
  out += row.changes.empty() && row.error.empty() ? ",\"same\":true" : ",\"same\":false";
  out += row.is_redacted ? ",\"redacted\":true" : ",\"redacted\":false";
  text(",\"error\":", row.error);
  out += ",\"before\":" + logged.decision;
  out += ",\"after\":" + (row.decision.empty() ? "null" : row.decision);
  out += ",\"changes\":[";
  for (const FieldChange& change : row.changes) {
    text(out.back() == '[' ? "{\"field\":" : ",{\"field\":", change.field);
    text(",\"before\":", change.before);
    text(",\"after\":", change.after);
    out += '}';
  }
  out += "]}";
}

}  // namespace

void Api::replay_decision(Call& call) {
  if (!parts_.log) return refuse(call.reply, kNoLog);
  std::string profile;
  if (!call.request.body.empty()) {
    const auto object = parse_json_object(call.request.body);
    if (!object) return refuse(call.reply, object.error());
    for (const auto& [name, value] : *object) {
      if (name != "profile" || !value.is_string())
        return refuse(call.reply, {ErrorCode::InvalidInput, "expected `profile` alone, a string"});
      profile = value.get_string();
    }
  }
  in_pool(call, [log = parts_.log, fleet = parts_.fleet.get(), profile,
                 id = decode_percent(call.id, false)](ServerReply& reply) {
    log->flush();  // it may still be on its way to the disk
    const auto contents = log_for_replay(log->path(), id);
    if (!contents) return refuse(reply, contents.error());
    const auto row = replay_last(*contents, profile, open_from(*fleet));
    if (!row) return refuse(reply, row.error());
    append_replayed(reply.body, contents->decisions.back(), *row);
  });
}

void Api::drift(Call& call) {
  if (!parts_.log) return refuse(call.reply, kNoLog);
  const std::string wanted = query_value(call.request.query, "profile");
  const std::shared_ptr<const ServedFleet>& fleet = parts_.fleet.get();
  const ServedProfile* served = fleet->find(wanted);
  if (!served)
    return refuse(call.reply,
                  {ErrorCode::NotFound, "profile: there is no profile '" + wanted + "' here"});
  const Profile& profile = served->router->profile();
  in_pool(call, [log = parts_.log, name = profile.name,
                 signal = profile.gatekeeper.oos_signal](ServerReply& reply) {
    const auto drift = drift_of_log(log->path(), name, signal);
    if (!drift) return refuse(reply, drift.error());
    std::string& out = reply.body;
    const auto number = [&](std::string_view field, auto value) {
      out += field;
      append_json_number(out, value);
    };
    out += "{\"profile\":";
    append_json_string(out, name);
    number(",\"rows\":", drift->rows);
    number(",\"width_ms\":", drift->width);
    out += ",\"points\":[";
    for (const DriftPoint& point : drift->points) {
      number(out.back() == '[' ? "{\"at\":" : ",{\"at\":", point.at);
      number(",\"decisions\":", point.decisions);
      number(",\"confidence\":", point.confidence);
      number(",\"out_of_scope\":", point.out_of_scope);
      number(",\"asked\":", point.asked);
      number(",\"llm\":", point.with_llm);
      out += '}';
    }
    out += "]}";
  });
}

}  // namespace signalbox

// /v1/keys: who has a key, a new one, and one less.

#include "server/api.h"
#include "server/key_ring.h"
#include "wire/json_append.h"
#include "wire/request_json.h"

namespace signalbox {
namespace {

const Error kNoKeys{ErrorCode::NotFound,
                    "no keys are configured here: make one with `signalbox keys new` and start the "
                    "server with --keys FILE"};

void append_key(std::string& out, const KeyLine& line) {
  const auto text = [&](std::string_view name, std::string_view value) {
    out += name;
    append_json_string(out, value);
  };
  text("\"id\":", line.id);
  text(",\"name\":", line.name);
  text(",\"scope\":", line.scope_names());
  out += ",\"rate\":";
  append_json_number(out, line.rate);
  out += ",\"concurrency\":";
  append_json_number(out, std::int64_t{line.concurrency});
}

struct Wanted {
  std::string name, scope, rate;
  int concurrency = 0;
};

Result<Wanted> wanted_key(std::string_view body) {
  const auto object = parse_json_object(body);
  if (!object) return tl::unexpected(object.error());
  Wanted out;
  for (const auto& [name, value] : *object) {
    std::string* place = name == "name"    ? &out.name
                         : name == "scope" ? &out.scope
                         : name == "rate"  ? &out.rate
                                           : nullptr;
    if (place && value.is_string()) {
      *place = value.get_string();
    } else if (name == "concurrency" && value.is_int64() && value.get_int64() >= 0 &&
               value.get_int64() < 1'000'000) {
      out.concurrency = static_cast<int>(value.get_int64());
    } else if (place || name == "concurrency") {
      return fail(ErrorCode::InvalidInput,
                  std::string(name) + ": expected " + (place ? "a string" : "a number"));
    } else {
      return fail(ErrorCode::InvalidInput, "unknown field '" + std::string(name) + "'");
    }
  }
  return out;
}

}  // namespace

void Api::keys(Call& call) {
  std::string& out = call.reply.body;
  out += parts_.keys ? R"({"enabled":true,"own":)" : R"({"enabled":false,"own":)";
  append_json_string(out, call.caller ? call.caller->line.id : "");
  out += ",\"keys\":[";
  for (const KeyLine& line : parts_.keys ? parts_.keys->keys() : std::vector<KeyLine>()) {
    out += out.back() == '[' ? "{" : ",{";
    append_key(out, line);
    out += '}';
  }
  out += "]}";
}

void Api::add_key(Call& call) {
  const auto wanted = wanted_key(call.request.body);
  if (!wanted) return refuse(call.reply, wanted.error());
  if (!parts_.keys) return refuse(call.reply, kNoKeys);
  in_pool(call, [ring = parts_.keys, wanted = *wanted](ServerReply& reply) {
    const auto made = ring->add(wanted.name, wanted.scope, wanted.rate, wanted.concurrency);
    if (!made) return refuse(reply, made.error());
    reply.status = 201;
    reply.body = "{\"key\":";
    append_json_string(reply.body, made->key);
    reply.body += ',';
    append_key(reply.body, made->line);
    reply.body += '}';
  });
}

void Api::revoke_key(Call& call) {
  if (!parts_.keys) return refuse(call.reply, kNoKeys);
  if (call.caller && call.caller->line.id == call.id)
    return refuse(call.reply, {ErrorCode::InvalidInput, "id: a key does not revoke itself"});
  in_pool(call, [ring = parts_.keys, id = std::string(call.id)](ServerReply& reply) {
    if (auto done = ring->revoke(id); !done) return refuse(reply, done.error());
    reply.body = R"({"status":"revoked"})";
  });
}

}  // namespace signalbox

// /v1/sessions/{id}: what is remembered of a conversation, forgetting it, and what was answered
// elsewhere.

#include <boost/json.hpp>

#include "context/session_id.h"
#include "server/api.h"
#include "wire/json_text.h"
#include "wire/request_json.h"
#include "wire/session_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr auto kBudget = std::chrono::seconds(2);

Result<std::string> id_of(const Call& call) {
  std::string id = decode_percent(call.id, false);
  if (const std::string fault = session_id_fault(id); !fault.empty() || id.empty())
    return fail(ErrorCode::InvalidInput, "id: " + (fault.empty() ? "is empty" : fault));
  return id;
}

// Someone else may write between our reading and our writing: then we read again.
Result<void> add_message(SessionStore& store, const std::string& id, const Message& message) {
  for (int i = 0; i < 5; ++i) {
    auto loaded = store.load(id, kBudget);
    if (!loaded) return tl::unexpected(loaded.error());
    if (!*loaded) return fail(ErrorCode::NotFound, "there is no session '" + id + "'");
    (*loaded)->add_message(message.role, message.content);
    const auto saved = store.save(id, **loaded, kBudget);
    if (!saved) return tl::unexpected(saved.error());
    if (*saved == SaveOutcome::Saved) return {};
  }
  return fail(ErrorCode::Overloaded, "too many write to this session: try again");
}

}  // namespace

void Api::session(Call& call) {
  const auto id = id_of(call);
  if (!id) return refuse(call.reply, id.error());
  in_pool(call, [store = parts_.sessions, id = *id](ServerReply& reply) {
    const auto loaded = store->load(id, kBudget);
    if (!loaded) return refuse(reply, loaded.error());
    if (!*loaded) return refuse(reply, {ErrorCode::NotFound, "there is no session '" + id + "'"});
    json::object out = session_to_json(**loaded);
    out["id"] = id;
    reply.body = json_text(out);
  });
}

void Api::forget_session(Call& call) {
  const auto id = id_of(call);
  if (!id) return refuse(call.reply, id.error());
  in_pool(call, [store = parts_.sessions, id = *id](ServerReply& reply) {
    const auto erased = store->erase(id, kBudget);
    if (!erased) return refuse(reply, erased.error());
    if (!*erased) return refuse(reply, {ErrorCode::NotFound, "there is no session '" + id + "'"});
    reply.body = R"({"status":"forgotten"})";
  });
}

void Api::session_message(Call& call) {
  const auto id = id_of(call);
  if (!id) return refuse(call.reply, id.error());
  const auto object = parse_json_object(call.request.body);
  if (!object) return refuse(call.reply, object.error());
  Message message;
  const json::value* role = object->if_contains("role");
  const json::value* content = object->if_contains("content");
  if (!role || (*role != "assistant" && *role != "user" && *role != "tool"))
    return refuse(call.reply, {ErrorCode::InvalidInput, "role: expected assistant, user or tool"});
  if (!content || !content->is_string())
    return refuse(call.reply, {ErrorCode::InvalidInput, "content: expected a string"});
  message.role = role->get_string();
  message.content = content->get_string();
  in_pool(call, [store = parts_.sessions, id = *id, message](ServerReply& reply) {
    if (auto done = add_message(*store, id, message); !done) return refuse(reply, done.error());
    reply.body = R"({"status":"kept"})";
  });
}

}  // namespace signalbox

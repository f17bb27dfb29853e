// /v1/sessions: which there are; /v1/sessions/{id}: what is remembered of a conversation, forgetting
// it, and what was answered elsewhere.

#include <boost/json.hpp>

#include "base/clock.h"
#include "context/session_id.h"
#include "context/session_turn.h"
#include "server/api.h"
#include "wire/json_text.h"
#include "wire/request_json.h"
#include "wire/session_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr auto kBudget = std::chrono::seconds(2);
constexpr std::size_t kListed = 500;

Result<std::string> id_of(const Call& call) {
  std::string id = decode_percent(call.id, false);
  if (const std::string fault = session_id_fault(id); !fault.empty() || id.empty())
    return fail(ErrorCode::InvalidInput, "id: " + (fault.empty() ? "is empty" : fault));
  return id;
}

// What an agent outside answered, for a conversation that is there. The list it shows is what "the
// second one" means next.
Result<void> keep_answer(SessionStore& store, const std::string& id, const ReportedAnswer& answer) {
  const auto known = store.load(id, kBudget);
  if (!known) return tl::unexpected(known.error());
  if (!*known) return fail(ErrorCode::NotFound, "there is no session '" + id + "'");
  const SteadyClock clock;
  if (auto kept = report_answer(store, id, answer, clock, kBudget); !kept)
    return tl::unexpected(kept.error());
  return {};
}

}  // namespace

void Api::sessions(Call& call) {
  in_pool(call, [store = parts_.sessions](ServerReply& reply) {
    const auto listed = store->list(kListed, kBudget);
    if (!listed) return refuse(reply, listed.error());
    const auto count = store->count(kBudget);
    if (!count) return refuse(reply, count.error());
    json::array rows;
    for (const SessionSummary& one : *listed)
      rows.push_back({{"id", one.id}, {"touched", one.touched.time_since_epoch().count()}});
    reply.body = json_text(
        json::object{{"store", store->kind()}, {"count", *count}, {"sessions", std::move(rows)}});
  });
}

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
  ReportedAnswer answer;
  const json::value* role = object->if_contains("role");
  const json::value* content = object->if_contains("content");
  const json::value* results = object->if_contains("results");
  if (!role || (*role != "assistant" && *role != "user" && *role != "tool"))
    return refuse(call.reply, {ErrorCode::InvalidInput, "role: expected assistant, user or tool"});
  if (!content || !content->is_string())
    return refuse(call.reply, {ErrorCode::InvalidInput, "content: expected a string"});
  answer.role = role->get_string();
  answer.content = content->get_string();
  if (results && !results->is_null()) {
    const json::array* list = results->if_array();
    for (const json::value& item : list ? *list : json::array{nullptr}) {
      if (!item.is_string())
        return refuse(call.reply, {ErrorCode::InvalidInput, "results: expected a list of strings"});
      answer.results.emplace_back(item.get_string());
    }
  }
  in_pool(call, [store = parts_.sessions, id = *id, answer](ServerReply& reply) {
    if (auto done = keep_answer(*store, id, answer); !done) return refuse(reply, done.error());
    reply.body = R"({"status":"kept"})";
  });
}

}  // namespace signalbox

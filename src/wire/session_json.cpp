#include "wire/session_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "wire/decision_json.h"

namespace signalbox {
namespace {

namespace json = boost::json;

constexpr const char* kAwaitKinds[] = {"confirm", "clarify", "choose", "fill"};
constexpr Presence kPresences[] = {Presence::Present, Presence::Absent, Presence::Unknown};

json::array list_of(const std::vector<std::string>& texts) {
  json::array out;
  for (const std::string& text : texts) out.emplace_back(text);
  return out;
}

// Reads fields of one object and remembers the first that is of the wrong kind.
class Reader {
 public:
  explicit Reader(const json::object& object, std::string& fault) : object_(object), fault_(fault) {}

  std::string text(std::string_view name) const {
    const json::value* value = object_.if_contains(name);
    if (!value) return "";
    if (const json::string* found = value->if_string()) return std::string(*found);
    return wrong(name), "";
  }
  std::int64_t integer(std::string_view name) const {
    const json::value* value = object_.if_contains(name);
    if (!value) return 0;
    if (const std::int64_t* found = value->if_int64()) return *found;
    return wrong(name), 0;
  }
  std::vector<std::string> texts(std::string_view name, std::size_t limit) const {
    std::vector<std::string> out;
    each(name, limit, [&](const json::value& item) {
      if (const json::string* found = item.if_string())
        out.emplace_back(*found);
      else
        wrong(name);
    });
    return out;
  }
  // Calls `use` with a Reader for each object of a list, the last `limit` of them.
  template <typename Use>
  void objects(std::string_view name, std::size_t limit, const Use& use) const {
    each(name, limit, [&](const json::value& item) {
      if (const json::object* found = item.if_object())
        use(Reader(*found, fault_));
      else
        wrong(name);
    });
  }
  const json::object* object(std::string_view name) const {
    const json::value* value = object_.if_contains(name);
    if (!value) return nullptr;
    if (const json::object* found = value->if_object()) return found;
    return wrong(name), nullptr;
  }
  void wrong(std::string_view name) const {
    if (fault_.empty()) fault_ = fmt::format("{}: of the wrong kind", name);
  }

 private:
  template <typename Use>
  void each(std::string_view name, std::size_t limit, const Use& use) const {
    const json::value* value = object_.if_contains(name);
    if (!value) return;
    const json::array* items = value->if_array();
    if (!items) return wrong(name);
    for (std::size_t i = items->size() - std::min(limit, items->size()); i < items->size(); ++i)
      use((*items)[i]);
  }

  const json::object& object_;
  std::string& fault_;
};

constexpr std::size_t kMany = 200;  // calls, questions and keywords of a plan

Plan plan_of(const Reader& in) {
  Plan plan;
  plan.query_type = in.text("query_type");
  plan.complexity = in.text("complexity");
  plan.suggested_tools = in.texts("suggested_tools", kMany);
  plan.grep_keywords = in.texts("grep_keywords", kMany);
  in.objects("sub_questions", kMany, [&](const Reader& item) {
    plan.sub_questions.push_back({item.text("semantic_intent"), item.text("search_keywords")});
  });
  in.objects("tool_calls", kMany, [&](const Reader& item) {
    ToolCall call{item.text("id"), item.text("tool"), {}, item.texts("after", kMany)};
    if (const json::object* arguments = item.object("arguments")) {
      for (const auto& [name, value] : *arguments) {
        if (value.is_string())
          call.arguments[std::string(name)] = value.get_string();
        else
          item.wrong("arguments");
      }
    }
    plan.tool_calls.push_back(std::move(call));
  });
  return plan;
}

Awaiting awaiting_of(const Reader& in) {
  Awaiting out;
  const auto* kind = std::find(std::begin(kAwaitKinds), std::end(kAwaitKinds), in.text("kind"));
  if (kind == std::end(kAwaitKinds))
    in.wrong("kind");
  else
    out.kind = static_cast<AwaitKind>(kind - std::begin(kAwaitKinds));
  out.text = bounded_text(in.text("text"), kMessageBytes);
  out.options = in.texts("options", kSessionOptions);
  out.query = bounded_text(in.text("query"), kMessageBytes);
  out.route = in.text("route");
  out.pending = in.text("pending");
  return out;
}

void read_last_turn(const Reader& in, Session& session, std::string& fault) {
  if (const json::object* awaiting = in.object("awaiting"))
    session.awaiting = awaiting_of(Reader(*awaiting, fault));
  session.passed_over = static_cast<int>(std::clamp<std::int64_t>(in.integer("passed_over"), 0, 1000));
  if (const json::object* plan = in.object("plan")) session.plan = plan_of(Reader(*plan, fault));
  if (const json::object* evidence = in.object("evidence")) {
    for (const auto& [name, value] : *evidence) {
      const auto* known =
          std::find_if(std::begin(kPresences), std::end(kPresences), [&](Presence presence) {
            return value.is_string() && value.get_string() == presence_name(presence);
          });
      if (known == std::end(kPresences))
        in.wrong("evidence");
      else
        session.evidence[std::string(name)] = *known;
    }
  }
  session.parts = in.texts("parts", kSessionOptions);
  session.set_results(in.texts("results", kSessionResults));
  session.route = in.text("route");
  if (const json::object* model = in.object("model")) {
    const Reader fields(*model, fault);
    session.model = {fields.text("slot"), fields.text("name")};
  }
}

}  // namespace

json::object session_to_json(const Session& session) {
  json::object out;
  out["created"] = session.created.time_since_epoch().count();
  out["touched"] = session.touched.time_since_epoch().count();
  if (!session.profile.empty()) out["profile"] = session.profile;
  json::array messages;
  for (const Message& message : session.messages)
    messages.push_back({{"role", message.role}, {"content", message.content}});
  out["messages"] = std::move(messages);
  json::array intents;
  for (const PastIntent& intent : session.intents)
    intents.push_back({{"type", intent.type}, {"topic", intent.topic}});
  out["intents"] = std::move(intents);
  if (!session.active_app.empty()) {
    out["active_app"] = session.active_app;
    out["app_touched"] = session.app_touched.time_since_epoch().count();
  }
  if (!session.app_state.empty()) out["app_state"] = session.app_state;
  if (session.awaiting) {
    out["awaiting"] = {{"kind", kAwaitKinds[static_cast<std::size_t>(session.awaiting->kind)]},
                       {"text", session.awaiting->text},
                       {"options", list_of(session.awaiting->options)},
                       {"query", session.awaiting->query},
                       {"route", session.awaiting->route}};
    if (!session.awaiting->pending.empty())
      out["awaiting"].get_object()["pending"] = session.awaiting->pending;
    out["passed_over"] = session.passed_over;
  }
  if (session.plan) out["plan"] = plan_to_json(*session.plan);
  if (!session.evidence.empty()) {
    json::object evidence;
    for (const auto& [name, presence] : session.evidence) evidence[name] = presence_name(presence);
    out["evidence"] = std::move(evidence);
  }
  if (!session.parts.empty()) out["parts"] = list_of(session.parts);
  if (!session.results.empty()) out["results"] = list_of(session.results);
  if (!session.route.empty()) {
    out["route"] = session.route;
    out["model"] = {{"slot", session.model.slot}, {"name", session.model.name}};
  }
  return out;
}

Result<Session> session_from_json(const json::object& object) {
  std::string fault;
  const Reader in(object, fault);
  Session session;
  session.created = WallTime(std::chrono::milliseconds(in.integer("created")));
  session.touched = WallTime(std::chrono::milliseconds(in.integer("touched")));
  session.profile = in.text("profile");
  in.objects("messages", kSessionMessages,
             [&](const Reader& item) { session.add_message(item.text("role"), item.text("content")); });
  in.objects("intents", kSessionIntents,
             [&](const Reader& item) { session.add_intent(item.text("type"), item.text("topic")); });
  session.active_app = in.text("active_app");
  session.app_touched = WallTime(std::chrono::milliseconds(in.integer("app_touched")));
  if (!session.set_app_state(in.text("app_state"))) in.wrong("app_state");
  read_last_turn(in, session, fault);
  if (!fault.empty()) return fail(ErrorCode::InvalidInput, fault);
  return session;
}

}  // namespace signalbox

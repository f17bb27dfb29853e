#include "dispatch/answerer.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "context/session_turn.h"
#include "dispatch/answer_prompt.h"

namespace signalbox {
namespace {

constexpr Duration kStoreBudget = std::chrono::seconds(2);
constexpr Duration kRetrievalBudget = std::chrono::seconds(5);

// The earlier messages: what the caller gave, else the session's, whose last one is the present one.
std::vector<Message> earlier_messages(const Request& request, SessionStore* store) {
  if (!request.history.empty() || !store || request.session_id.empty()) return request.history;
  auto session = store->load(request.session_id, kStoreBudget);
  if (!session || !*session) return {};
  std::vector<Message> out = std::move((*session)->messages);
  if (!out.empty() && out.back().role == "user") out.pop_back();
  return out;
}

}  // namespace

Answerer::Answerer(const Router& router, AnswererOptions options)
    : router_(router), options_(std::move(options)) {}

void Answerer::look_up(PreparedAnswer& prepared) const {
  if (!prepared.decision.retrieval) return;
  if (!options_.retriever) {
    prepared.retrieval_note = "no index is configured";
    return;
  }
  auto found = options_.retriever->retrieve(prepared.decision.resolved_query, options_.passages,
                                            kRetrievalBudget);
  if (found)
    prepared.passages = *std::move(found);
  else
    prepared.retrieval_note = found.error().message;
}

Session Answerer::session_before(const Request& request) const {
  SessionStore* store = router_.options().sessions.get();
  if (!options_.apps || !store || request.session_id.empty()) return {};
  auto loaded = store->load(request.session_id, kStoreBudget);
  return loaded && *loaded ? **std::move(loaded) : Session{};
}

bool Answerer::run_app(const Request& request, const Session& before, PreparedAnswer& out) const {
  const Decision& decision = out.decision;
  if (!options_.apps || decision.target.kind != "app" || !options_.apps->has(decision.target.name))
    return false;
  Request completed = request;
  complete_request(completed, before, router_.profile().name);
  if (completed.app_state.empty()) completed.app_state = before.app_state;
  const bool is_view = router_.profile().find_route(*decision.route)->is_view;
  // The same message on the same copy of the session is the same call, however often it is made.
  const std::string call =
      fmt::format("{:x}", hash_text(decision.query, hash_text(request.session_id)) ^
                              (before.version * 0x9E3779B97F4A7C15ULL));
  const auto turn = options_.apps->run(decision, completed, call, is_view);
  if (!turn) return false;
  out.text = turn->text;
  out.is_notice = !turn->error.empty();
  out.decision.ask = turn->ask;
  const RouterOptions& parts = router_.options();
  if (!parts.sessions || request.session_id.empty()) return true;
  const auto saved = update_session(*parts.sessions, request.session_id, *parts.clock, kStoreBudget,
                                    [&](Session& session) {
                                      session.active_app = turn->active_app;
                                      session.set_app_state(turn->app_state);
                                      if (!turn->list.empty()) session.set_results(turn->list);
                                    });
  if (!saved) out.decision.add_signal("session_store_down");
  return true;
}

Result<PreparedAnswer> Answerer::prepare(const Request& request) const {
  const Session before = session_before(request);
  auto decision = router_.route(request);
  if (!decision) return tl::unexpected(decision.error());
  PreparedAnswer out;
  out.decision = *std::move(decision);
  if (out.decision.ask) {
    out.text = out.decision.ask->text;
    return out;
  }
  if (!out.decision.route) {
    out.text = "No route takes this message, and the profile names no fallback.";
    out.is_notice = true;
    return out;
  }
  if (run_app(request, before, out)) return out;
  const RouterOptions& parts = router_.options();
  const Route& route = *router_.profile().find_route(*out.decision.route);
  if (!parts.llm) {
    out.text = fmt::format(
        "No model is configured: SIGNALBOX_LLM_URL and SIGNALBOX_LLM_MODEL bind one. The message goes "
        "to "
        "{}.",
        route.name);
    out.is_notice = true;
    return out;
  }
  look_up(out);
  AnswerMaterial material{out.decision.resolved_query, earlier_messages(request, parts.sessions.get()),
                          request.extra_context, out.passages};
  out.llm.slot = out.decision.model.slot;
  out.llm.model = out.decision.model.name;
  out.llm.messages = answer_messages(route, material);
  out.llm.max_tokens = options_.max_tokens;
  out.llm.budget = options_.budget;
  return out;
}

Result<GeneratedAnswer> Answerer::generate(const PreparedAnswer& prepared, const TextSink& sink) const {
  const RouterOptions& parts = router_.options();
  GeneratedAnswer out;
  if (!prepared.text.empty() || !parts.llm) {
    out.text = prepared.text;
    if (sink) sink(out.text);
  } else {
    auto answer = parts.llm->complete(prepared.llm, sink);
    if (!answer) return tl::unexpected(answer.error());
    out.text = std::move(answer->text);
    out.usage = answer->usage;
    out.model = std::move(answer->model);
  }
  const std::string& id = prepared.decision.session_id;
  if (!parts.sessions || id.empty() || prepared.is_notice || out.text.empty()) return out;
  ReportedAnswer report;
  report.content = out.text;
  out.is_recorded = report_answer(*parts.sessions, id, report, *parts.clock, kStoreBudget).has_value();
  return out;
}

}  // namespace signalbox

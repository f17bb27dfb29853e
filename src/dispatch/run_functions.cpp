// The part of an answer that functions give: what they show, ask or change.

#include "call/function_stage.h"
#include "context/session_turn.h"
#include "dispatch/answerer.h"

namespace signalbox {
namespace {

constexpr Duration kStoreBudget = std::chrono::seconds(2);

Awaiting awaiting_of(const StageReply& reply, const Decision& decision) {
  Awaiting out;
  out.kind = reply.ask->kind == "fill" ? AwaitKind::Fill : AwaitKind::Confirm;
  out.text = bounded_text(reply.ask->text, kMessageBytes);
  out.options = reply.ask->options;
  out.query = bounded_text(decision.resolved_query, kMessageBytes);
  out.route = decision.route.value_or("");
  out.pending = reply.pending;
  return out;
}

}  // namespace

bool Answerer::run_functions(const Request& request, const Session& before, PreparedAnswer& out) const {
  const RouterOptions& parts = router_.options();
  if (!parts.functions) return false;
  Request completed = request;
  complete_request(completed, before, router_.profile(), parts.clock->wall());
  const auto reply =
      parts.functions->answer(out.decision, completed, router_.profile(), before.awaiting);
  if (!reply) return false;
  out.text = reply->text;
  out.decision.llm_calls += reply->llm_calls;
  out.decision.ask = reply->ask;
  if (!parts.sessions || request.session_id.empty() || (!reply->ask && reply->list.empty()))
    return true;
  const auto saved = update_session(*parts.sessions, request.session_id, *parts.clock, kStoreBudget,
                                    [&](Session& session) {
                                      if (reply->ask)
                                        session.awaiting = awaiting_of(*reply, out.decision);
                                      if (reply->ask) session.passed_over = 0;
                                      if (!reply->list.empty()) session.set_results(reply->list);
                                    });
  if (!saved) out.decision.add_signal("session_store_down");
  return true;
}

}  // namespace signalbox

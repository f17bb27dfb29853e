#include "pipeline/session_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "context/session_id.h"

namespace signalbox {
namespace {

// Half of what is left: a slow store must leave time to decide without it.
Duration store_budget(const Turn& turn) {
  const Duration left = turn.deadline.left();
  if (left == Duration::max()) return std::chrono::seconds(2);
  return std::max<Duration>(left / 2, std::chrono::milliseconds(1));
}

}  // namespace

void SessionHold::give_up(Turn& turn, Step& step, const Error& error) {
  step.note(fmt::format("without session {}: {}", session_log_name(given_.session_id), error.message));
  turn.decision.add_signal("session_store_down");
}

void SessionHold::open(Request& request, Turn& turn, Step& step) {
  if (given_.session_id.empty()) return step.note("no session");
  if (!store_) return step.note("no session store: the request's own history");
  auto found = store_->load(given_.session_id, store_budget(turn));
  if (!found && found.error().code == ErrorCode::Corrupt) {
    step.note("the stored session is damaged: begins anew");
    turn.decision.add_signal("session_corrupt");
    if (auto gone = store_->erase(given_.session_id, store_budget(turn)); !gone) {
      give_up(turn, step, gone.error());
      store_ = nullptr;
    }
    return;
  }
  if (!found) {
    give_up(turn, step, found.error());
    store_ = nullptr;
    return;
  }
  if (!*found) return step.note("new session");
  session_ = **std::move(found);
  app_is_over_ = is_app_over(session_, turn.profile(), turn.clock.wall());
  if (app_is_over_) turn.decision.add_signal("app_expired");
  complete_request(request, session_, turn.profile(), turn.clock.wall());
  step.note(fmt::format("{} messages, {} intents from {}", session_.messages.size(),
                        session_.intents.size(), store_->kind()));
}

bool SessionHold::try_tool_loop(Turn& turn, Step& step) {
  if (!signalbox::is_tool_loop(given_)) return false;
  std::string route;
  if (session_.profile == turn.profile().name && session_.messages.size() > 0) route = session_.route;
  if (route.empty() && !turn.request.intent_history.empty())
    route = turn.request.intent_history.back().type;
  if (!turn.profile().find_route(route)) return false;
  is_tool_loop_ = true;
  turn.decision.add_signal("tool_loop");
  turn.decide(DecidedBy::Awaiting, route, 1, "carries tool results: keeps its route");
  if (!session_.model.slot.empty()) turn.kept_model = session_.model;
  step.note("tool loop keeps " + route);
  return true;
}

void SessionHold::close(Turn& turn, Step& step) {
  if (!is_used()) return;
  const Decision& decision = turn.decision;
  TurnOutcome outcome;
  outcome.is_tool_loop = is_tool_loop_;
  outcome.app_is_over = app_is_over_;
  outcome.answers_awaited = decision.has_signal("awaiting_answered");
  outcome.takes_all_parts = decision.has_signal("awaiting_all");
  outcome.declines_awaited = decision.has_signal("awaiting_declined");
  outcome.ends_app = turn.compiled.app_ends && turn.compiled.app_ends->holds(turn.facts());
  bool keeps_state = true;
  auto saved = update_session(
      *store_, given_.session_id, turn.clock, store_budget(turn),
      [&](Session& session) {
        keeps_state =
            apply_turn(session, given_, decision, outcome, turn.profile().session, turn.clock.wall());
      },
      session_);
  if (!saved) return give_up(turn, step, saved.error());
  if (!keeps_state) {
    step.note("the app's state is too large for a session");
    turn.decision.add_signal("app_state_dropped");
  }
}

}  // namespace signalbox

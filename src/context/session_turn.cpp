#include "context/session_turn.h"

#include <algorithm>
#include <array>
#include <thread>

#include "base/utf8.h"
#include "context/result_list.h"
#include "context/session_id.h"

namespace signalbox {
namespace {

constexpr int kMaxAttempts = 64;

AwaitKind await_kind(const std::string& kind) {
  if (kind == "confirm") return AwaitKind::Confirm;
  if (kind == "choose") return AwaitKind::Choose;
  return kind == "fill" ? AwaitKind::Fill : AwaitKind::Clarify;
}

void touch(Session& session, WallTime now) {
  if (session.version == 0 && session.created == WallTime{}) session.created = now;
  session.touched = std::max(session.touched, now);
}

void apply_awaiting(Session& session, const Decision& decision, const TurnOutcome& outcome,
                    const SessionSettings& settings) {
  if (decision.ask && !outcome.declines_awaited) return await_answer(session, decision);
  if (!session.awaiting) return;
  const bool is_over = outcome.answers_awaited || outcome.declines_awaited ||
                       settings.cancel_on_other || ++session.passed_over > settings.awaiting_turns;
  if (!is_over) return;
  session.awaiting.reset();
  session.passed_over = 0;
}

// The next part, said, is taken off; what has nothing to do with them ends them.
void apply_parts(Session& session, const Decision& decision, const TurnOutcome& outcome) {
  if (outcome.takes_all_parts && session.awaiting) {
    session.parts = session.awaiting->options;
    session.parts.erase(session.parts.begin());
    return;
  }
  if (outcome.answers_awaited || outcome.declines_awaited) return;
  if (!session.parts.empty() && session.parts.front() == decision.query)
    session.parts.erase(session.parts.begin());
  else
    session.parts.clear();
}

void apply_app(Session& session, const Request& given, const Decision& decision,
               const TurnOutcome& outcome, WallTime now) {
  if (outcome.app_is_over) session.active_app.clear();
  if (decision.target.kind == "app" || !given.active_app.empty()) session.app_touched = now;
  if (!given.active_app.empty()) session.active_app = given.active_app;
  if (decision.target.kind == "app" && decision.target.name != session.active_app) {
    session.active_app = decision.target.name;
    session.app_state.clear();
  }
  if (outcome.ends_app) {
    session.active_app.clear();
    session.app_state.clear();
  }
}

}  // namespace

bool is_app_over(const Session& session, const Profile& profile, WallTime now) {
  if (session.active_app.empty() || session.app_touched == WallTime{}) return false;
  const auto app = std::find_if(profile.apps.begin(), profile.apps.end(),
                                [&](const App& one) { return one.name == session.active_app; });
  return app != profile.apps.end() &&
         session.app_touched + std::chrono::hours(app->lifetime_hours) <= now;
}

void await_answer(Session& session, const Decision& decision) {
  if (!decision.ask) return;
  Awaiting awaiting{await_kind(decision.ask->kind), bounded_text(decision.ask->text, kMessageBytes),
                    decision.ask->options, bounded_text(decision.resolved_query, kMessageBytes),
                    decision.route.value_or("")};
  if (awaiting.options.size() > kSessionOptions) awaiting.options.resize(kSessionOptions);
  for (std::string& option : awaiting.options) option = bounded_text(option, kResultBytes);
  session.awaiting = std::move(awaiting);
  session.passed_over = 0;
}

void complete_request(Request& request, const Session& session, const Profile& profile, WallTime now) {
  if (request.history.empty()) request.history = session.messages;
  if (request.results.empty()) request.results = session.results;
  const bool is_over = is_app_over(session, profile, now);
  if (request.active_app.empty() && !is_over) {
    request.active_app = session.active_app;
    if (request.app_state.empty()) request.app_state = session.app_state;
  }
  if (session.profile != profile.name || is_over) return;
  if (request.intent_history.empty()) request.intent_history = session.intents;
  if (!request.awaiting) request.awaiting = session.awaiting;
}

bool is_tool_loop(const Request& request) {
  return !request.history.empty() && request.history.back().role == "tool";
}

bool apply_turn(Session& session, const Request& given, const Decision& decision,
                const TurnOutcome& outcome, const SessionSettings& settings, WallTime now) {
  touch(session, now);
  if (session.messages.empty()) {  // the conversation began before the session did
    for (const Message& message : given.history) session.add_message(message.role, message.content);
  } else if (outcome.is_tool_loop) {
    session.add_message("tool", given.history.back().content);
  }
  if (outcome.is_tool_loop) return true;
  if (session.profile != decision.profile) {
    session.intents.clear();
    session.awaiting.reset();
    session.parts.clear();
    session.profile = decision.profile;
  }
  if (given.awaiting) session.awaiting = given.awaiting;
  session.add_message("user", decision.query);
  if (decision.route) session.add_intent(*decision.route, decision.resolved_query);
  apply_parts(session, decision, outcome);
  apply_awaiting(session, decision, outcome, settings);
  if (!given.results.empty()) session.set_results(given.results);
  if (decision.plan) session.plan = decision.plan;
  session.evidence = decision.evidence;
  session.route = decision.route.value_or("");
  session.model = decision.model;
  const bool keeps_state = given.app_state.empty() || session.set_app_state(given.app_state);
  apply_app(session, given, decision, outcome, now);
  return keeps_state;
}

void apply_answer(Session& session, const ReportedAnswer& answer, WallTime now) {
  touch(session, now);
  session.add_message(answer.role, answer.content);
  if (!answer.results.empty()) {
    session.set_results(answer.results);
    return;
  }
  if (answer.role != "assistant") return;
  if (const auto listed = listed_items(answer.content); !listed.empty()) session.set_results(listed);
}

Result<Session> update_session(SessionStore& store, const std::string& id, const Clock& clock,
                               Duration budget, const std::function<void(Session&)>& change,
                               std::optional<Session> known) {
  const TimePoint end = budget >= std::chrono::hours(1) ? TimePoint::max() : clock.now() + budget;
  const auto left = [&] { return end == TimePoint::max() ? budget : end - clock.now(); };
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    if (left() <= Duration::zero()) return fail(ErrorCode::Timeout, "sessions: out of time");
    Session session;
    if (known) {
      session = *std::exchange(known, std::nullopt);
    } else {
      auto found = store.load(id, left());
      if (!found && found.error().code == ErrorCode::Corrupt) {
        if (auto gone = store.erase(id, left()); !gone) return tl::unexpected(gone.error());
      } else if (!found) {
        return tl::unexpected(found.error());
      } else if (*found) {
        session = **std::move(found);
      }
    }
    change(session);
    auto saved = store.save(id, session, left());
    if (!saved) return tl::unexpected(saved.error());
    if (*saved == SaveOutcome::Saved) {
      session.version = next_version(session);
      return session;
    }
    if (attempt > 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return fail(ErrorCode::Overloaded, "sessions: others keep writing this one");
}

Result<Session> report_answer(SessionStore& store, const std::string& id, const ReportedAnswer& answer,
                              const Clock& clock, Duration budget) {
  if (id.empty()) return fail(ErrorCode::InvalidInput, "session_id: is missing");
  if (std::string fault = session_id_fault(id); !fault.empty())
    return fail(ErrorCode::InvalidInput, std::move(fault));
  static constexpr std::array<std::string_view, 3> kRoles{"assistant", "user", "tool"};
  if (std::find(kRoles.begin(), kRoles.end(), answer.role) == kRoles.end())
    return fail(ErrorCode::InvalidInput, "role: expected assistant, user or tool");
  const auto is_bad = [](const std::string& text) { return find_invalid_utf8(text).has_value(); };
  if (is_bad(answer.content) || std::any_of(answer.results.begin(), answer.results.end(), is_bad))
    return fail(ErrorCode::InvalidInput, "content: not UTF-8");
  return update_session(store, id, clock, budget,
                        [&](Session& session) { apply_answer(session, answer, clock.wall()); });
}

}  // namespace signalbox

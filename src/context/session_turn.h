// How a session and a turn meet: what it lends to a request, what a turn leaves in it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "context/session_store.h"
#include "signalbox/profile.h"

namespace signalbox {

// What the request itself gives wins; what it leaves empty comes from the session. Intents and what is
// awaited only from a session of the same profile: another one's routes mean nothing here. An app that
// is over is no longer active.
void complete_request(Request& request, const Session& session, const Profile& profile, WallTime now);

// Whether the session's app was left alone for longer than its manifest lets it live.
bool is_app_over(const Session& session, const Profile& profile, WallTime now);

// Whether the request carries the results of tools: the answer is still being made, so its route
// stands.
bool is_tool_loop(const Request& request);

// What one turn leaves in its session, besides the request and the decision.
struct TurnOutcome {
  bool is_tool_loop = false;
  bool answers_awaited = false;
  bool declines_awaited = false;
  bool takes_all_parts = false;  // … by wanting every part of the message, one after the other
  bool ends_app = false;
  bool app_is_over = false;  // before this turn
};

// Writes the turn into the session: the user's message, its intent, what is awaited now, the results
// and app the request brought, plan, route and model. The same turn applied to another copy gives the
// same additions, so a conflict is solved by applying it again. False: the app's state was too large
// to keep.
bool apply_turn(Session& session, const Request& given, const Decision& decision,
                const TurnOutcome& outcome, const SessionSettings& settings, WallTime now);

// What an app asks goes on with the answer, as what the router asks does.
void await_answer(Session& session, const Decision& decision);

// What was answered, by our own model or by an agent outside.
struct ReportedAnswer {
  std::string role = "assistant";  // or "user", "tool"
  std::string content;
  std::vector<std::string> results;  // the list it shows; empty: read from the content's own list
};
void apply_answer(Session& session, const ReportedAnswer& answer, WallTime now);

// Loads, changes and saves until no other writer came between; `known` spares the first load. Corrupt
// content is erased and begun anew. Overloaded: others kept writing. Otherwise the store's errors.
// Returns the session as it was saved.
Result<Session> update_session(SessionStore& store, const std::string& id, const Clock& clock,
                               Duration budget, const std::function<void(Session&)>& change,
                               std::optional<Session> known = std::nullopt);

// POST /v1/sessions/{id}/messages and `/say` of the chat: the history follows what was answered
// elsewhere. InvalidInput: a bad id or role, or text that is not UTF-8.
Result<Session> report_answer(SessionStore& store, const std::string& id, const ReportedAnswer& answer,
                              const Clock& clock, Duration budget);

}  // namespace signalbox

// The session's part of the context and record steps.
#pragma once

#include <optional>

#include "context/session_turn.h"
#include "pipeline/turn.h"

namespace signalbox {

// One turn's hold on its session. A store that fails makes the turn stateless, with a signal, never
// an error.
class SessionHold {
 public:
  // `store` may be null: nothing is remembered.
  SessionHold(SessionStore* store, const Request& given) : store_(store), given_(given) {}

  // Loads the session and completes `request`, which starts as a copy of what the caller gave.
  void open(Request& request, Turn& turn, Step& step);

  // A turn that carries tool results keeps the route its session has.
  bool try_tool_loop(Turn& turn, Step& step);

  // Writes the turn back once it is decided.
  void close(Turn& turn, Step& step);

  bool is_used() const { return store_ != nullptr && !given_.session_id.empty(); }

 private:
  void give_up(Turn& turn, Step& step, const Error& error);

  SessionStore* store_;
  const Request& given_;
  Session session_;
  bool is_tool_loop_ = false;
  bool app_is_over_ = false;
};

}  // namespace signalbox

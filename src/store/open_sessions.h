// The session store an address names: `memory`, `sqlite:PATH`, `redis://HOST:PORT[/DB]` or
// `redis-cluster://HOST:PORT,HOST:PORT`.
#pragma once

#include <memory>
#include <string>

#include "context/session_store.h"

namespace signalbox {

struct OpenedSessions {
  std::shared_ptr<SessionStore> store;
  std::string notice;  // what the operator should know: a damaged file was set aside
};

// Redis need not be there yet: it is looked for at every call. InvalidInput: another form. Upstream or
// InvalidInput: a file that cannot be opened.
Result<OpenedSessions> open_sessions(const std::string& address,
                                     std::chrono::milliseconds lifetime = kSessionLifetime);

}  // namespace signalbox

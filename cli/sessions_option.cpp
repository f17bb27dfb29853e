#include "cli/sessions_option.h"

#include <fmt/format.h>

#include <cstdlib>

#include "store/open_sessions.h"

namespace signalbox {

void add_sessions_option(CLI::App& command, SessionsOption& option, const std::string& usually) {
  command.add_option("--sessions", option.address,
                     "Where sessions live: memory, sqlite:PATH, redis://HOST:PORT[/DB] or "
                     "redis-cluster://HOST:PORT,…; default: $SIGNALBOX_SESSIONS, else " +
                         usually);
}

Result<std::shared_ptr<SessionStore>> open_sessions_option(const SessionsOption& option,
                                                           const std::string& usual) {
  std::string address = option.address;
  if (const char* set = std::getenv("SIGNALBOX_SESSIONS"); address.empty() && set) address = set;
  if (address.empty()) address = usual;
  if (address.empty()) return std::shared_ptr<SessionStore>();
  auto opened = open_sessions(address);
  if (!opened) return tl::unexpected(opened.error());
  if (!opened->notice.empty()) fmt::print(stderr, "signalbox: {}\n", opened->notice);
  return opened->store;
}

}  // namespace signalbox

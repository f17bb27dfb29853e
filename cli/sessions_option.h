// --sessions ADDRESS, as every command that keeps a conversation has it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "context/session_store.h"

namespace signalbox {

struct SessionsOption {
  std::string address;  // empty: $SIGNALBOX_SESSIONS, else what the command usually does
};

void add_sessions_option(CLI::App& command, SessionsOption& option, const std::string& usually);

// `usual` is the address where neither the option nor the environment names one; empty: no store.
// A damaged file that was set aside is told on standard error.
Result<std::shared_ptr<SessionStore>> open_sessions_option(const SessionsOption& option,
                                                           const std::string& usual);

}  // namespace signalbox

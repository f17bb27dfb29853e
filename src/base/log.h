// What the program says while it runs: one JSON object a line on standard error.
//
// Thread-safe: a line is written in one piece. A line below the level costs a comparison.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace signalbox {

enum class LogLevel { Debug, Info, Warn, Error, Off };

void set_log_level(LogLevel level);
bool parse_log_level(std::string_view text, LogLevel& out);

using LogField = std::pair<std::string_view, std::string>;

// {"time":"2026-01-01T00:00:00.000Z","level":"info","event":"…", fields}
void log_event(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

}  // namespace signalbox

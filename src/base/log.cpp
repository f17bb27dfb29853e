#include "base/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <ctime>

#include "wire/json_append.h"

namespace signalbox {
namespace {

constexpr std::array<std::string_view, 5> kNames{"debug", "info", "warn", "error", "off"};
std::atomic<LogLevel> current_level{LogLevel::Info};

std::string time_text() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("{}.{:03}Z", text, ms % 1000);
}

}  // namespace

void set_log_level(LogLevel level) {
  current_level = level;
}

bool parse_log_level(std::string_view text, LogLevel& out) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] != text) continue;
    out = static_cast<LogLevel>(i);
    return true;
  }
  return false;
}

void log_event(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (level < current_level.load(std::memory_order_relaxed) || level == LogLevel::Off) return;
  std::string line = fmt::format(R"({{"time":"{}","level":"{}","event":)", time_text(),
                                 kNames[static_cast<std::size_t>(level)]);
  append_json_string(line, event);
  for (const auto& [name, value] : fields) {
    line += ',';
    append_json_string(line, name);
    line += ':';
    append_json_string(line, value);
  }
  line += "}\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace signalbox

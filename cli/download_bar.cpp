#include "cli/download_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "base/columns.h"
#include "base/download_line.h"

namespace signalbox {
namespace {

constexpr auto kRefresh = std::chrono::milliseconds(100);

}  // namespace

DownloadBar::DownloadBar(std::string name, bool is_silent)
    : name_(std::move(name)), is_silent_(is_silent), is_terminal_(::isatty(STDERR_FILENO) != 0) {
  winsize size{};
  if (is_terminal_ && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    columns_ = size.ws_col;
}

void DownloadBar::show(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (is_silent_) return;
  const auto now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    started_ = now;
    first_ = done;
    tenths_ = -1;
  }
  const double seconds = std::chrono::duration<double>(now - started_).count();
  const double rate = seconds > 0.2 && done > first_ ? static_cast<double>(done - first_) / seconds : 0;
  if (is_terminal_) {
    if (now - shown_ < kRefresh && done < total) return;
    shown_ = now;
    is_open_ = true;
    fmt::print(stderr, "\r\033[K{}",
               download_line(stage_ + " " + name_, done, total, rate, columns_ - 1));
    std::fflush(stderr);
    return;
  }
  const int tenths = total > 0 ? static_cast<int>(done * 10 / total) : 0;
  if (tenths == tenths_ || seconds < 1) return;
  tenths_ = tenths;
  fmt::print(stderr, "{} {}: {} %\n", stage_, printable(name_), tenths * 10);
}

void DownloadBar::note(std::string_view text) {
  if (is_silent_) return;
  finish();
  fmt::print(stderr, "{}\n", printable(text));
}

void DownloadBar::finish() {
  if (is_open_) fmt::print(stderr, "\r\033[K");
  is_open_ = false;
}

}  // namespace signalbox

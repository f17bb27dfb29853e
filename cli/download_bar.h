// How far a download is: a moving line in a terminal, a plain line every tenth elsewhere. On standard
// error.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox {

class DownloadBar {
 public:
  DownloadBar(std::string name, bool is_silent);
  void show(std::string_view stage, std::uint64_t done, std::uint64_t total);
  void note(std::string_view text);  // a line of its own
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  bool is_silent_;
  bool is_terminal_;
  std::size_t columns_ = 80;
  bool is_open_ = false;
  std::string stage_;
  std::uint64_t first_ = 0;  // bytes that were there when the stage began
  int tenths_ = -1;
  Clock::time_point started_{};
  Clock::time_point shown_{};
};

}  // namespace signalbox

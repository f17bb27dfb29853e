#include "base/download_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.h"
#include "base/utf8.h"

namespace signalbox {
namespace {

constexpr int kBar = 20;

std::string time_left(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return whole >= 60 ? fmt::format("{} min {:02} s", whole / 60, whole % 60)
                     : fmt::format("{} s", whole);
}

}  // namespace

std::string file_size_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000) return fmt::format("{:.1f} GB", size / 1e9);
  if (bytes >= 1'000'000) return fmt::format("{:.1f} MB", size / 1e6);
  return bytes >= 1000 ? fmt::format("{:.0f} kB", size / 1e3) : fmt::format("{} B", bytes);
}

std::string download_line(std::string_view name, std::uint64_t done, std::uint64_t total,
                          double bytes_a_second, std::size_t columns) {
  std::string line = printable(name) + "  ";
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const int full = static_cast<int>(share * kBar);
    for (int i = 0; i < kBar; ++i) line += i < full ? "█" : "░";
    line +=
        fmt::format(" {:3.0f} %  {} of {}", share * 100, file_size_text(done), file_size_text(total));
  } else {
    line += file_size_text(done);
  }
  if (bytes_a_second > 0) {
    line += fmt::format("  {}/s", file_size_text(static_cast<std::uint64_t>(bytes_a_second)));
    if (total > done)
      line += "  " + time_left(static_cast<double>(total - done) / bytes_a_second) + " left";
  }
  return std::string(utf8_prefix(line, columns));
}

}  // namespace signalbox

#include "retrieve/watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <filesystem>

namespace signalbox {
namespace {

namespace fs = std::filesystem;
constexpr int kQuietMs = 300;
constexpr int kLookMs = 200;  // how soon a stop is seen
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;

bool has_events(int watch, int wait_ms) {
  pollfd ready{watch, POLLIN, 0};
  if (::poll(&ready, 1, wait_ms) <= 0) return false;
  std::array<char, 1 << 16> buffer{};
  return ::read(watch, buffer.data(), buffer.size()) > 0;
}

}  // namespace

bool wait_for_change(const std::string& root, const std::stop_token& stop) {
  const int watch = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch < 0) return false;
  ::inotify_add_watch(watch, root.c_str(), kEvents);
  std::error_code ec;
  for (fs::recursive_directory_iterator entry(root, ec), end; !ec && entry != end;
       entry.increment(ec)) {
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (entry->is_directory(ec) && !entry->is_symlink(ec)) {
      ::inotify_add_watch(watch, entry->path().c_str(), kEvents);
    }
  }
  bool has_changed = false;
  while (!has_changed && !stop.stop_requested()) has_changed = has_events(watch, kLookMs);
  while (has_changed && !stop.stop_requested() && has_events(watch, kQuietMs)) {
  }
  ::close(watch);
  return has_changed && !stop.stop_requested();
}

}  // namespace signalbox

#include "server/file_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>

namespace signalbox {

Result<std::unique_ptr<FileWatch>> FileWatch::start(const std::vector<std::string>& folders,
                                                    std::function<void()> changed, Duration quiet) {
  std::unique_ptr<FileWatch> watch(new FileWatch);
  watch->inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  watch->stop_ = eventfd(0, EFD_CLOEXEC);
  if (watch->inotify_ < 0 || watch->stop_ < 0)
    return fail(ErrorCode::Upstream, std::string("files cannot be watched: ") + std::strerror(errno));
  for (const std::string& folder : folders)
    inotify_add_watch(watch->inotify_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE);
  watch->changed_ = std::move(changed);
  watch->thread_ = std::thread([at = watch.get(), quiet] { at->watch(quiet); });
  return watch;
}

FileWatch::~FileWatch() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    (void)!::write(stop_, &one, sizeof one);
    thread_.join();
  }
  if (inotify_ >= 0) ::close(inotify_);
  if (stop_ >= 0) ::close(stop_);
}

void FileWatch::watch(Duration quiet) {
  const int pause =
      static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(quiet).count());
  bool is_due = false;
  for (;;) {
    pollfd both[2] = {{inotify_, POLLIN, 0}, {stop_, POLLIN, 0}};
    const int ready = ::poll(both, 2, is_due ? pause : -1);
    if (both[1].revents != 0) return;
    if (ready == 0) {  // quiet again: what was being written is written
      is_due = false;
      changed_();
      continue;
    }
    char events[4096];
    while (::read(inotify_, events, sizeof events) > 0) is_due = true;
  }
}

}  // namespace signalbox

// Calls back when a file in one of some folders changes: for profiles that reload themselves.
//
// Several changes in a short time are one call, made on the watch's own thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "signalbox/result.h"

namespace signalbox {

class FileWatch {
 public:
  // Folders that are not there are passed over. Upstream: the system watches no more files.
  static Result<std::unique_ptr<FileWatch>> start(const std::vector<std::string>& folders,
                                                  std::function<void()> changed,
                                                  Duration quiet = std::chrono::milliseconds(200));
  ~FileWatch();

 private:
  FileWatch() = default;
  void watch(Duration quiet);

  int inotify_ = -1;
  int stop_ = -1;  // an eventfd
  std::function<void()> changed_;
  std::thread thread_;
};

}  // namespace signalbox

// An index that is followed while `signalbox index` writes it anew: whoever asks gets the newest.
//
// Looks for a new search image at most once a second. What was handed out stays good; an index that
// cannot be opened any more leaves the old one in place. Thread-safe.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "retrieve/index.h"

namespace signalbox {

class LiveIndex {
 public:
  // As Index::open().
  static Result<std::shared_ptr<LiveIndex>> open(const std::string& folder);

  std::shared_ptr<const Index> current();

 private:
  LiveIndex(std::string folder, std::shared_ptr<const Index> index);
  std::filesystem::file_time_type written() const;

  const std::string folder_;
  std::mutex mutex_;
  std::shared_ptr<const Index> index_;  // guarded by mutex_, as all below
  std::filesystem::file_time_type image_time_;
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace signalbox

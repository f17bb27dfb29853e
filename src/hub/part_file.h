// A file that is still being fetched: NAME.part, and beside it the ETag its bytes belong to.
//
// Holds a lock as long as it lives, so that two programs never write the same part. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "signalbox/result.h"

namespace signalbox {

class PartFile {
 public:
  // Opens or creates the part of `target`. Overloaded: another program is fetching it.
  static Result<PartFile> open(const std::string& target);
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&&) = delete;
  ~PartFile();

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }
  const std::string& etag() const { return etag_; }

  // Upstream: the disk refused, with its reason.
  Result<void> append(std::string_view bytes);
  // Starts over for content of that ETag.
  Result<void> restart(const std::string& etag);
  // Writes everything through to the disk and gives the file its own name.
  Result<void> publish();
  void discard();

 private:
  PartFile(std::string target, int file);
  std::string etag_path() const { return path_ + ".etag"; }

  std::string target_;
  std::string path_;
  std::string etag_;
  std::uint64_t bytes_ = 0;
  int file_ = -1;
};

}  // namespace signalbox

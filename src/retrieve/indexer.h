// Brings an index up to date with a folder.
//
// Only files that changed are read: first size and time are compared, then the content's hash. What was
// written stays when the run is interrupted; the next one goes on from there. The same folder always
// gives the same index, whatever the number of threads. Memory is bounded by the files in work.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "model/encoder.h"
#include "retrieve/file_walk.h"
#include "signalbox/result.h"

namespace signalbox {

struct IndexOptions {
  std::string encoder;  // as open_encoder() takes it; "none": no vectors
  int threads = 0;      // 0: one a core
  WalkOptions walk;
  std::stop_token stop;
};

struct IndexProgress {
  std::size_t files = 0;  // to be read in this run
  std::size_t files_done = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bytes_done = 0;
};

struct IndexReport {
  std::size_t files = 0;  // in the index now
  std::size_t added = 0;
  std::size_t changed = 0;
  std::size_t removed = 0;
  std::size_t unchanged = 0;
  std::size_t chunks = 0;
  std::uint64_t bytes_read = 0;
  bool was_stopped = false;
  std::vector<SkippedFile> skipped;
};

// InvalidInput: `root` is no folder, or the index there belongs to another one. Overloaded: another run
// writes it.
Result<IndexReport> update_index(const std::string& root, const std::string& folder,
                                 const IndexOptions& options,
                                 const std::function<void(const IndexProgress&)>& progress = {});

}  // namespace signalbox

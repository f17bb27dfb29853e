// What a run of the indexer has to read, and the reading of it, wherever the index is kept.
//
// `Known` is what an index keeps of a file: bytes, modified_ns, hash and trouble.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "retrieve/indexer.h"
#include "retrieve/workshop.h"

namespace signalbox {

template <typename Known>
struct IndexWork {
  std::vector<FoundFile> files;     // to be read
  std::vector<const Known*> known;  // of each what the index has, or null
  std::uint64_t bytes = 0;
};

inline bool is_found(const Walk& walk, const std::string& path) {
  const auto found =
      std::lower_bound(walk.files.begin(), walk.files.end(), path,
                       [](const FoundFile& f, const std::string& p) { return f.path < p; });
  return found != walk.files.end() && found->path == path;
}

template <typename Known>
IndexWork<Known> work_to_do(const Walk& walk, const std::map<std::string, Known>& known,
                            IndexReport& report) {
  IndexWork<Known> work;
  for (const FoundFile& file : walk.files) {
    const auto old = known.find(file.path);
    const Known* before = old == known.end() ? nullptr : &old->second;
    // The program that reads these may have been installed since.
    const bool may_be_better = before && !before->trouble.empty() &&
                               (file.kind == DocumentKind::Pdf || file.kind == DocumentKind::Docx);
    if (before && before->bytes == file.bytes && before->modified_ns == file.modified_ns &&
        !may_be_better) {
      ++report.unchanged;
      if (!before->trouble.empty()) report.skipped.push_back({file.path, before->trouble});
      continue;
    }
    work.files.push_back(file);
    work.known.push_back(before);
    work.bytes += file.bytes;
  }
  return work;
}

// Hands each file, in order, to `store(file, before, is_same)`: `is_same` says that only its date
// differs from what the index has.
template <typename Known, typename Store>
Result<void> work_through(const IndexWork<Known>& work, const IndexOptions& options,
                          const std::string& root, const Encoder* encoder, IndexReport& report,
                          const std::function<void(const IndexProgress&)>& progress, Store store) {
  const ChunkEncoder with = ChunkEncoder::of(encoder, options.encoder);
  Workshop workshop(work.files.size(), options.threads, [&](std::size_t i) {
    return prepare_file(root, work.files[i], with, work.known[i] ? &work.known[i]->hash : nullptr);
  });
  IndexProgress state{work.files.size(), 0, work.bytes, 0};
  for (std::size_t i = 0; i < work.files.size(); ++i) {
    if (options.stop.stop_requested()) {
      report.was_stopped = true;
      break;
    }
    const PreparedFile file = workshop.take(i);
    const Known* before = work.known[i];
    report.bytes_read += file.file.bytes;
    if (!file.trouble.empty()) report.skipped.push_back({file.file.path, file.trouble});
    const bool is_same = before && file.trouble.empty() && before->hash == file.hash;
    ++(is_same ? report.unchanged : before ? report.changed : report.added);
    if (auto done = store(file, before, is_same); !done) return done;
    ++state.files_done;
    state.bytes_done += file.file.bytes;
    if (progress) progress(state);
  }
  return {};
}

}  // namespace signalbox

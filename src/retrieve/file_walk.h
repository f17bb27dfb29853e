// The files below a folder that can be indexed, and those that cannot with the reason.
//
// Hidden files and folders, and folders that hold what programs made (node_modules, build outputs of
// version control), are passed over without a word. A symbolic link that leads out of the root is
// reported, never followed. Sorted by path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "retrieve/document.h"
#include "signalbox/result.h"

namespace signalbox {

struct FoundFile {
  std::string path;  // below the root, with '/'
  DocumentKind kind = DocumentKind::Text;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
};

struct SkippedFile {
  std::string path;
  std::string reason;
};

struct WalkOptions {
  std::uint64_t max_file_bytes = 32ULL << 20U;
  std::uint64_t max_files = 5'000'000;
};

struct Walk {
  std::vector<FoundFile> files;
  std::vector<SkippedFile> skipped;
};

// NotFound when `root` is no folder.
Result<Walk> walk_files(const std::string& root, const WalkOptions& options = {});

// By the name's ending; files without a known one are text, and read only if they look like it.
DocumentKind kind_of(const std::string& path);

}  // namespace signalbox
